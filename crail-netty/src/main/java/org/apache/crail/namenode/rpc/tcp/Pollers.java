/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.local.message.RingReader;

/**
 * The threads that poll a ring. While there is one, the writer need not ring the doorbell. The event loop's thread is
 * one of them while it is awake. Thread safe but for the methods of the loop.
 */
final class Pollers {
    private final RingReader ring;
    private final AtomicInteger count = new AtomicInteger();
    private boolean loopPolls; // confined to who runs the event loop

    Pollers(RingReader ring) {
        this.ring = ring;
    }

    /** Whether nobody polls. */
    boolean areNone() {
        return count.get() == 0;
    }

    /** The calling thread begins to poll. */
    void begin() {
        if (count.getAndIncrement() == 0) {
            ring.wake();
        }
    }

    /** The calling thread has stopped to poll; whether it was the last. */
    boolean end() {
        return count.decrementAndGet() == 0;
    }

    /** The event loop's thread begins to poll, if it does not yet. */
    void beginOfLoop() {
        if (!loopPolls) {
            loopPolls = true;
            begin();
        }
    }

    /** Whether the event loop's thread may leave it to others to poll. */
    boolean areOthersThanLoop() {
        return count.get() > (loopPolls ? 1 : 0);
    }

    /** The event loop's thread does not poll any more; whether it was the last. */
    boolean endOfLoop() {
        boolean wasPolling = loopPolls;
        loopPolls = false;
        return wasPolling && end();
    }
}
