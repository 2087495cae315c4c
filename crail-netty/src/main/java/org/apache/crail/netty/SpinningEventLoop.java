/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import io.netty.channel.Channel;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SingleThreadIoEventLoop;
import java.util.concurrent.Executor;

/** An event loop that looks for events before it sleeps, and first at the connection that it hears from. Thread safe; {@link #waiting} is for who turns it. */
class SpinningEventLoop extends SingleThreadIoEventLoop {
    final SpinThenWait waiting;

    SpinningEventLoop(IoEventLoopGroup parent, Executor executor, IoHandlerFactory handlers, SpinThenWait waiting) {
        super(parent, executor, handlers);
        this.waiting = waiting;
    }

    /** What the channel's loop looks for in memory, or null if it does not look there. */
    static PolledInputs inputsOf(Channel channel) {
        return channel.eventLoop() instanceof SpinningEventLoop loop ? loop.waiting.inputs() : null;
    }

    /** Says that bytes of a channel came, by one read, to its loop; for who turns that. */
    static void heardFrom(Channel channel, int bytes) {
        if (channel.eventLoop() instanceof SpinningEventLoop loop) {
            loop.waiting.heardFrom(channel, bytes);
        }
    }
}
