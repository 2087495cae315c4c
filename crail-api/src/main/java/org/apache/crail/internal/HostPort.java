/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.internal;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A host, which is a name or an address, and a port. Nothing is looked up before {@link #resolve}. Immutable.
 *
 * @param host without brackets, also if it is an IPv6 address
 * @param port from 0 to 65535
 */
public record HostPort(String host, int port) {
    private static final Pattern FORM = Pattern.compile("(?:\\[([^\\[\\]]+)]|([^\\[\\]:@/]+)):(\\d{1,5})");
    private static final int MAX_PORT = 65535;

    /** Reads {@code host:port} or {@code [IPv6 address]:port}; null if the text is neither. */
    public static HostPort parse(String text) {
        Matcher matcher = text == null ? null : FORM.matcher(text);
        if (matcher == null || !matcher.matches() || Integer.parseInt(matcher.group(3)) > MAX_PORT) {
            return null;
        }
        String address = matcher.group(1);
        return new HostPort(address == null ? matcher.group(2) : address, Integer.parseInt(matcher.group(3)));
    }

    /**
     * The host and port of a URI; null if it has none. Unlike {@link URI#getHost} it takes names with an underscore.
     */
    public static HostPort of(URI uri) {
        return parse(uri.getAuthority());
    }

    /** An address as text, without looking anything up. */
    public static String text(SocketAddress address) {
        return address instanceof InetSocketAddress inet
                ? new HostPort(inet.getHostString(), inet.getPort()).toString()
                : String.valueOf(address);
    }

    /** The address to connect to, resolved now, which may take time; check {@link InetSocketAddress#isUnresolved()}. */
    public InetSocketAddress resolve() {
        return new InetSocketAddress(host, port);
    }

    /** {@code host:port}, with an IPv6 address in brackets. */
    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
