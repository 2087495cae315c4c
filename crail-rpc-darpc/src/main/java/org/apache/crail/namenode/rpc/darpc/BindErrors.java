/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import java.net.InetSocketAddress;
import org.apache.crail.error.ConfigurationException;

/** Says why an address cannot be listened on, and what would be right. Stateless. */
final class BindErrors {
    private BindErrors() {}

    /** From what DiSNI or its native half threw. */
    static ConfigurationException of(InetSocketAddress address, Throwable cause) {
        String reason = cause.getMessage() == null
                ? cause.toString()
                : cause.getMessage().strip();
        String advice = "";
        if (reason.contains("in use")) {
            advice =
                    "; the port is in use, stop the process that listens there or choose another port with -p or crail.namenode.address";
        } else if (isOfNoDevice(reason)) {
            advice = "; no RDMA device of this host has the address, use one that has (see: rdma link, ip address)";
        } else if (reason.contains("ibv_create_cq")) {
            advice = "; the device may not hold so many (max_cqe of ibv_devinfo -v), lower " + DaRPCKeys.CLUSTER_SIZE
                    + ", " + DaRPCKeys.RECV_QUEUE + " or " + DaRPCKeys.SEND_QUEUE;
        } else if (reason.contains("ermission denied")) {
            advice = "; no right to use the port, choose one above 1023";
        }
        return of(address, reason + advice, cause);
    }

    /** DiSNI finds no context of a device when the address belongs to this host, but to none of its RDMA devices. */
    private static boolean isOfNoDevice(String reason) {
        return reason.contains("assign requested address")
                || reason.contains("No such device")
                || reason.contains("no context found");
    }

    /** For a reason that is known. */
    static ConfigurationException of(InetSocketAddress address, String reason, Throwable cause) {
        return new ConfigurationException(
                "the metadata server cannot listen on " + Addresses.text(address) + " over RDMA: " + reason
                        + Addresses.hint(address),
                cause);
    }
}
