/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.server;

import java.net.InetSocketAddress;

/** Addresses as text. All methods are thread safe. */
final class Addresses {
    private Addresses() {}

    /** {@code host:port}, with an IPv6 address in brackets. */
    static String text(InetSocketAddress address) {
        String host = address.getHostString();
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}
