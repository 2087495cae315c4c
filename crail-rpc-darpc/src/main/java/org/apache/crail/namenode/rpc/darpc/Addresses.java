/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import java.net.Inet4Address;
import java.net.InetSocketAddress;
import org.apache.crail.internal.HostPort;

/** Addresses in messages, and which of them RDMA can reach. Stateless. */
final class Addresses {
    private Addresses() {}

    /** An address as {@code host:port}, with an IPv6 address in brackets. */
    static String text(InetSocketAddress address) {
        return HostPort.text(address);
    }

    /** Why nothing can be connected to this address or listen on it; null if something may. */
    static String problem(InetSocketAddress address) {
        if (address.isUnresolved()) {
            return "the host name cannot be resolved";
        }
        if (!(address.getAddress() instanceof Inet4Address)) {
            return "DiSNI knows IPv4 addresses only; use one that belongs to an RDMA device";
        }
        return null;
    }

    /** What to add to a message about an address that did not work. */
    static String hint(InetSocketAddress address) {
        return address.getAddress() != null && address.getAddress().isLoopbackAddress()
                ? "; a loopback address belongs to no RDMA device, use the address of one (see: rdma link)"
                : "";
    }
}
