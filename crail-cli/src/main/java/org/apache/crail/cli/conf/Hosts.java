/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.conf;

import java.util.regex.Pattern;

/** Names and addresses of hosts. Stateless. */
final class Hosts {
    /** Nothing that ssh could take for an option, or a shell for more than one word. */
    private static final Pattern HOST =
            Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]*|[0-9a-fA-F]*:[0-9a-fA-F:.]+(%[A-Za-z0-9_.-]+)?");

    private static final Pattern LOOPBACK = Pattern.compile("localhost|127\\.[0-9.]+|::1");

    private Hosts() {}

    /** Whether a text may be a name or an address, one of IPv6 without brackets. */
    static boolean isHost(String text) {
        return HOST.matcher(text).matches();
    }

    /**
     * A host as a part of a file's name: the colons of addresses, and the percent sign before a zone, mean something
     * elsewhere.
     */
    static String fileName(String host) {
        return host.replace(':', '_').replace('%', '_');
    }

    /** Whether it is this host for everybody. */
    static boolean isLoopback(String host) {
        return LOOPBACK.matcher(host).matches();
    }
}
