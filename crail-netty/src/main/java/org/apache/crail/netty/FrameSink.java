/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;

/** Where a connection puts what it has encoded. Used by one thread at a time. */
public interface FrameSink {
    /**
     * Takes the readable bytes of a direct buffer, which leave with the next {@link #flush}.
     *
     * @return whether the caller still owns the buffer, as its bytes have been copied, or dropped because the
     *     connection has ended
     */
    boolean write(ByteBuf bytes);

    /** Sends what has been written. */
    void flush();

    /** The channel's socket. */
    static FrameSink of(Channel channel) {
        return new FrameSink() {
            @Override
            public boolean write(ByteBuf bytes) {
                channel.write(bytes, channel.voidPromise());
                return false;
            }

            @Override
            public void flush() {
                channel.flush();
            }
        };
    }
}
