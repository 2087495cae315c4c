/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.IoHandle;
import io.netty.channel.epoll.EpollIoEvent;
import io.netty.channel.epoll.EpollIoOps;

/**
 * Looks for bytes of the connection that an event loop last heard from, and from no other since, or that owes it its only answer, by reading it without asking epoll. Who has one peer that asks
 * and waits, or asks one after the other, saves two calls for each message: the one that finds it, and the one in which epoll sees that it has been read. All are asked for now and
 * then. Keeps the latest connection, which may have ended. Confined to its event loop.
 */
final class EagerRead {
    /** After so many looks at one connection all are asked for. */
    static final int MOST_IN_A_ROW = 4;

    /** Of more there is probably yet more to come, which is better left to grow. */
    static final int MOST_BYTES = 512;

    private static final EpollIoEvent READABLE = () -> EpollIoOps.EPOLLIN;

    private Channel latest;
    private boolean alone; // heard from twice in a row, and little, or expected to be
    private int looks;
    private boolean heard;

    /** Bytes of this channel came, by one read. */
    void heardFrom(Channel channel, int bytes) {
        alone = channel == latest && bytes <= MOST_BYTES;
        latest = channel;
        heard = true;
    }

    /** The next that comes is probably of this channel, and comes at once; null if that is not known, then none is looked at before it has been heard from. */
    void expect(Channel channel) {
        latest = channel;
        alone = channel != null;
    }

    /** Begins a look, if there is one to be taken now instead of asking for all. */
    boolean beginLook() {
        if (!alone || looks == MOST_IN_A_ROW) {
            looks = 0;
            return false;
        }
        looks++;
        return latest.isActive() && latest.config().isAutoRead() && hasSentAll();
    }

    /** If not, epoll tells when it can send more, which the peer waits for. */
    private boolean hasSentAll() {
        ChannelOutboundBuffer unsent = latest.unsafe().outboundBuffer(); // null while it is being closed
        return unsent != null && unsent.isEmpty();
    }

    /** Takes the look; whether bytes came, which have been handled then. */
    boolean look() {
        heard = false;
        ((IoHandle) latest.unsafe()).handle(null, READABLE); // Netty's epoll channels do not use the registration
        return heard;
    }
}
