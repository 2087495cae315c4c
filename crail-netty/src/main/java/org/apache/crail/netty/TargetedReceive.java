/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;

/**
 * Lets a connection's handler say where each read of the socket puts its bytes, so that payloads go where they belong
 * without a copy. One per channel; used by the thread that runs the channel's loop.
 */
public final class TargetedReceive extends DefaultMaxMessagesRecvByteBufAllocator {
    private ReceiveTarget target;

    private TargetedReceive(ReceiveTarget target, int readsPerEvent) {
        super(readsPerEvent);
        this.target = target;
    }

    /** Lets {@code target} say so for its channel, which is read at most {@code readsPerEvent} times in a row. */
    public static void install(Channel channel, ReceiveTarget target, int readsPerEvent) {
        channel.config().setRecvByteBufAllocator(new TargetedReceive(target, readsPerEvent));
    }

    /**
     * Lets what comes over the channel's socket from now on, wake-ups, go elsewhere.
     *
     * @return where it went before
     */
    public static ReceiveTarget divert(Channel channel, ReceiveTarget wakeUps) {
        TargetedReceive receive = channel.config().getRecvByteBufAllocator();
        ReceiveTarget before = receive.target;
        receive.target = wakeUps;
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
        public int guess() {
            return 0;
        }
    }
}
