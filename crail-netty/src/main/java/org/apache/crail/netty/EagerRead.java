/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.IoHandle;
import io.netty.channel.epoll.EpollIoEvent;
import io.netty.channel.epoll.EpollIoOps;

/**
 * Reads the connection that an event loop last heard from, and from no other since, without asking epoll first. Who has one peer that asks and waits saves
 * two calls for each message: the one that finds it, and the one in which epoll sees that it has been read. All are asked for now and then, and whenever this
 * one waits to send. Confined to its event loop.
 */
final class EagerRead {
    /** After so many looks at one connection all are asked for. */
    static final int MOST_IN_A_ROW = 4;

    private static final EpollIoEvent READABLE = () -> EpollIoOps.EPOLLIN;

    private Channel latest;
    private boolean alone; // heard from twice in a row
    private int looks;
    private long heard;

    /** Bytes of this channel came. */
    void heardFrom(Channel channel) {
        alone = channel == latest;
        latest = channel;
        heard++;
    }

    /** Whether there is one to be read now, instead of asking for all. */
    boolean isDue() {
        if (!alone || looks == MOST_IN_A_ROW) {
            looks = 0;
            return false;
        }
        looks++;
        return isReadOnly();
    }

    private boolean isReadOnly() {
        if (!latest.isActive()) {
            latest = null;
            alone = false;
            return false;
        }
        ChannelOutboundBuffer output = latest.unsafe().outboundBuffer();
        return latest.config().isAutoRead() && output != null && output.isEmpty();
    }

    /** Reads it; whether bytes came. */
    boolean read() {
        long before = heard;
        ((IoHandle) latest.unsafe()).handle(null, READABLE); // Netty's epoll channels do not use the registration
        return heard != before;
    }
}
