/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.peers;

import java.util.Map;

/** On which way data and metadata go between a client and servers of ours on one host. Thread safe. */
public enum CrailWay {
    /** Both over TCP. */
    TCP(false, false),
    /** Both over Unix domain sockets. */
    UNIX(true, false),
    /** The default: both through memory that processes share. */
    MAPPED(true, true);

    private final boolean unixSockets;
    private final boolean mapped;

    CrailWay(boolean unixSockets, boolean mapped) {
        this.unixSockets = unixSockets;
        this.mapped = mapped;
    }

    boolean hasUnixSockets() {
        return unixSockets;
    }

    boolean isMapped() {
        return mapped;
    }

    /** What leads there, by key. */
    Map<String, String> settings() {
        return Map.of(
                "crail.unixsockets",
                Boolean.toString(unixSockets),
                "crail.namenode.tcp.mapped",
                Boolean.toString(mapped),
                "crail.storage.tcp.mapped",
                Boolean.toString(mapped));
    }
}
