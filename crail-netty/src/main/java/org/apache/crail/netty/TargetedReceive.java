/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;

/**
 * Lets a connection's handler say where each read of the socket puts its bytes, so that payloads go where they belong
 * without a copy. One per channel; used by who turns the channel's loop.
 */
public final class TargetedReceive extends DefaultMaxMessagesRecvByteBufAllocator {
    private final Channel channel;
    private ReceiveTarget target;
    private boolean isDiverted;

    private TargetedReceive(Channel channel, ReceiveTarget target, int readsPerEvent) {
        super(readsPerEvent);
        this.channel = channel;
        this.target = target;
    }

    /** Lets {@code target} say so for its channel, which is read at most {@code readsPerEvent} times in a row. */
    public static void install(Channel channel, ReceiveTarget target, int readsPerEvent) {
        channel.config().setRecvByteBufAllocator(new TargetedReceive(channel, target, readsPerEvent));
    }

    /**
     * Lets what comes over the channel's socket from now on, wake-ups, go elsewhere; it is no reason to look at this socket before others.
     *
     * @return where it went before
     */
    static ReceiveTarget divert(Channel channel, ReceiveTarget wakeUps) {
        TargetedReceive receive = channel.config().getRecvByteBufAllocator();
        ReceiveTarget before = receive.target;
        receive.target = wakeUps;
        receive.isDiverted = true;
        return before;
    }

    @Override
    @SuppressWarnings("deprecation") // Netty marks the method for its callers, which should use ExtendedHandle
    public Handle newHandle() {
        return new TargetedHandle();
    }

    private final class TargetedHandle extends MaxMessageHandle {
        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            return target.receiveBuffer(allocator);
        }

        @Override
        public void lastBytesRead(int bytes) {
            super.lastBytesRead(bytes);
            if (bytes > 0 && !isDiverted) {
                SpinningEventLoop.heardFrom(channel, bytes);
            }
        }

        @Override
        public int guess() {
            return 0;
        }
    }
}
