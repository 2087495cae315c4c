/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;

/** How much the system keeps for a connection that the other end has not received yet. Stateless. */
final class SendBuffer {
    /**
     * For TCP within one host. The system lets it grow to megabytes, as a long way needs; where there is none, what has
     * been copied into a small one is still in the processor's cache when the other end copies it out. Linux takes
     * twice as much, for what it adds to the data.
     */
    static final int SAME_HOST_BYTES = 128 * 1024;

    private SendBuffer() {}

    /** Bounds it for a connection over TCP that has been made and does not leave this host. */
    static void bound(Channel connection) {
        if (SocketAddresses.isLocalSocket(connection) || !SocketAddresses.isSameHost(connection)) {
            return;
        }
        try {
            connection.config().setOption(ChannelOption.SO_SNDBUF, SAME_HOST_BYTES);
        } catch (ChannelException e) {
            // it has ended already, which others notice
        }
    }
}
