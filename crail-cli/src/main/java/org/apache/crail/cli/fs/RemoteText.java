/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.crail.error.InvalidPathException;
import org.apache.crail.internal.HostPort;

/**
 * A path of a store as a user writes it: {@code /a/b} or {@code crail://host:port/a/b}. Immutable.
 *
 * @param namenode where the store's namenode is, as {@code host:port}; empty for that of the configuration
 * @param path the path, which may be a pattern
 */
record RemoteText(String namenode, String path) {
    private static final String SCHEME = "crail";
    private static final int DEFAULT_PORT = 9060;
    private static final Pattern ADDRESS =
            Pattern.compile("([a-z][a-z0-9+.-]*):(?=/)(?://([^/]*))?(.*)", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    static RemoteText parse(String text) throws InvalidPathException {
        Matcher address = ADDRESS.matcher(text);
        if (!address.matches()) {
            return new RemoteText("", text);
        }
        if (!address.group(1).equalsIgnoreCase(SCHEME)) {
            throw new InvalidPathException(
                    text + " is no crail:// path; a path looks like /a/b or crail://host:port/a/b");
        }
        String authority = address.group(2) == null ? "" : address.group(2);
        return new RemoteText(authority.isEmpty() ? "" : namenode(authority, text), address.group(3));
    }

    private static String namenode(String authority, String text) throws InvalidPathException {
        HostPort namenode = HostPort.parse(authority);
        if (namenode == null) {
            namenode = HostPort.parse(authority + ":" + DEFAULT_PORT);
        }
        if (namenode == null) {
            throw new InvalidPathException("path " + text + " names the namenode " + authority
                    + ", which is no host:port; a path looks like crail://host:port/a/b");
        }
        return namenode.toString();
    }
}
