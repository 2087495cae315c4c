/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import io.netty.channel.Channel;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SingleThreadIoEventLoop;
import java.util.concurrent.Executor;
import org.apache.crail.internal.LastResort;
import org.apache.crail.internal.PeerLog;
import org.slf4j.LoggerFactory;

/**
 * An event loop that looks for events before it sleeps, and first at the connection that it hears from. It goes on
 * whatever comes out of its work, an {@link OutOfMemoryError} for example: what is lost with that ends at its time
 * limit. Thread safe; {@link #waiting} is for the thread that runs it.
 */
class SpinningEventLoop extends SingleThreadIoEventLoop {
    private static final PeerLog FAILURES = new PeerLog(LoggerFactory.getLogger(SpinningEventLoop.class));

    /** After a failure others have the processor for so long: the next may fail, too. */
    static final long PAUSE_MS = 10;

    final SpinThenWait waiting;

    SpinningEventLoop(IoEventLoopGroup parent, Executor executor, IoHandlerFactory handlers, SpinThenWait waiting) {
        super(parent, executor, handlers);
        this.waiting = waiting;
    }

    @Override
    protected int runIo() {
        try {
            return super.runIo();
        } catch (Throwable e) {
            survive(e);
            return 0;
        }
    }

    /** Looks for events in the place of the loop's thread, or for another time than that does. */
    final void look(IoHandlerContext context) {
        try {
            int ignored = ioHandler().run(context);
        } catch (Throwable e) {
            survive(e);
        }
    }

    /** Tasks fail by themselves; this is for what comes out beside them. */
    @Override
    protected boolean runAllTasks(long limitNs) {
        try {
            return super.runAllTasks(limitNs);
        } catch (Throwable e) {
            survive(e);
            return true;
        }
    }

    /** What fails again and again fills neither the log nor the processor. */
    static void survive(Throwable failure) {
        LastResort.tell(
                e -> FAILURES.error(
                        "an event loop failed in {}; it goes on",
                        Thread.currentThread().getName(),
                        e),
                failure);
        LastResort.pause(PAUSE_MS);
    }

    /** What the channel's loop looks for in memory, or null if it does not look there. */
    static PolledInputs inputsOf(Channel channel) {
        return channel.eventLoop() instanceof SpinningEventLoop loop ? loop.waiting.inputs() : null;
    }
}
