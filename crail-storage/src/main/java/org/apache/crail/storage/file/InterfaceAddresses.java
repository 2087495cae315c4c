/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.file;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Comparator;
import java.util.stream.Collectors;
import org.apache.crail.conf.ConfigKey;
import org.apache.crail.error.ConfigurationException;

/** Finds the addresses of network interfaces. Stateless. */
final class InterfaceAddresses {
    private InterfaceAddresses() {}

    /** The address of an interface: IPv4 if it has one, otherwise IPv6, with more than the link's scope if possible. */
    static InetAddress of(ConfigKey<String> key, String name) throws ConfigurationException {
        try {
            NetworkInterface found = NetworkInterface.getByName(name);
            if (found == null) {
                throw wrong(key, name, "does not exist");
            }
            return found.inetAddresses()
                    .min(Comparator.comparing((InetAddress address) -> !(address instanceof Inet4Address))
                            .thenComparing(InetAddress::isLinkLocalAddress))
                    .orElseThrow(() -> new SocketException("it has no address"));
        } catch (SocketException e) {
            throw new ConfigurationException(key + " = \"" + name + "\" cannot be used: " + e.getMessage(), e);
        }
    }

    private static ConfigurationException wrong(ConfigKey<String> key, String name, String what)
            throws SocketException {
        String existing = NetworkInterface.networkInterfaces()
                .map(NetworkInterface::getName)
                .sorted()
                .collect(Collectors.joining(", "));
        return new ConfigurationException(key + " = \"" + name + "\" " + what + "; this host has " + existing
                + "; or leave it empty, no interface is needed");
    }
}
