/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Comparator;
import java.util.stream.Collectors;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.netty.TcpTierKeys;

/** Finds the addresses of network interfaces. Stateless. */
final class InterfaceAddresses {
    private InterfaceAddresses() {}

    /** The address of an interface: IPv4 if it has one, otherwise IPv6, with more than the link's scope if possible. */
    static InetAddress of(String name) throws ConfigurationException {
        try {
            NetworkInterface found = NetworkInterface.getByName(name);
            if (found == null) {
                throw wrong(name, "does not exist");
            }
            return found.inetAddresses()
                    .min(Comparator.comparing((InetAddress address) -> !(address instanceof Inet4Address))
                            .thenComparing(InetAddress::isLinkLocalAddress))
                    .orElseThrow(() -> new SocketException("it has no address"));
        } catch (SocketException e) {
            throw new ConfigurationException(
                    TcpTierKeys.STORAGE_INTERFACE + " = \"" + name + "\" cannot be used: " + e.getMessage(), e);
        }
    }

    private static ConfigurationException wrong(String name, String what) throws SocketException {
        String existing = NetworkInterface.networkInterfaces()
                .map(NetworkInterface::getName)
                .sorted()
                .collect(Collectors.joining(", "));
        return new ConfigurationException(TcpTierKeys.STORAGE_INTERFACE + " = \"" + name + "\" " + what
                + "; this host has " + existing + "; or leave it empty, no interface is needed");
    }
}
