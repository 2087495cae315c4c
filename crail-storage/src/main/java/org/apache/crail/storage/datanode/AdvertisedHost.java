/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.datanode;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.CrailException;
import org.apache.crail.internal.HostPort;

/** Finds the host under which clients reach this datanode. Stateless. */
final class AdvertisedHost {
    private AdvertisedHost() {}

    /** The configured host, or else the local address from which packets to the namenode would leave. */
    static String find(CrailConfiguration configuration, InetSocketAddress namenode) throws CrailException {
        String configured = configuration.get(CrailKeys.DATANODE_HOST);
        if (!configured.isEmpty()) {
            return configured;
        }
        if (namenode.isUnresolved()) {
            throw new ConfigurationException("crail.namenode.address: the host " + namenode.getHostString()
                    + " cannot be resolved; name a host that this machine knows");
        }
        // Connecting a datagram socket sends nothing; the kernel only chooses the route.
        try (DatagramSocket route = new DatagramSocket()) {
            route.connect(namenode);
            return withoutZone(route.getLocalAddress());
        } catch (IOException e) {
            throw new ConfigurationException(
                    "no route leads to namenode " + HostPort.text(namenode)
                            + "; set crail.datanode.host to the address that clients" + " are to use",
                    e);
        }
    }

    /** The host under which a datanode is reached that listens on {@code bound}: the one it binds, if it binds one. */
    static String of(CrailConfiguration configuration, InetSocketAddress bound, String otherwise)
            throws ConfigurationException {
        InetAddress address = bound.getAddress();
        boolean configured = !configuration.get(CrailKeys.DATANODE_HOST).isEmpty();
        return configured || address == null || address.isAnyLocalAddress() ? otherwise : withoutZone(address);
    }

    private static String withoutZone(InetAddress address) {
        String text = address.getHostAddress();
        int zone = text.indexOf('%');
        return zone < 0 ? text : text.substring(0, zone);
    }
}
