/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;
import org.apache.crail.internal.IdleStrategy;

/**
 * Lets an event loop poll for a short while before it sleeps, by an {@link IdleStrategy}: waking up takes longer than a
 * small message does. It polls memory, and the system as told by {@link PolledInputs}. Confined to who runs the event
 * loop.
 */
final class SpinThenWait implements SelectStrategy {
    private final PolledInputs inputs = new PolledInputs();
    private final IdleStrategy.Wait wait;
    private boolean slept;

    SpinThenWait(IdleStrategy idle) {
        this.wait = idle.begin();
    }

    /** What the loop polls in memory. */
    PolledInputs inputs() {
        return inputs;
    }

    /** Somebody waits for an answer now: it is polled for before the loop sleeps. */
    void expectAnswer() {
        slept = false;
        wait.reset();
    }

    @Override
    public int calculateStrategy(IntSupplier selectNow, boolean hasTasks) throws Exception {
        if (slept) {
            expectAnswer();
        }
        boolean isMemoryEnough = inputs.beginLook() && !hasTasks;
        boolean hasTaken = inputs.take();
        int ready = isMemoryEnough ? 0 : selectNow.get();
        if (ready > 0) {
            inputs.forget();
        }
        if (hasTaken || ready > 0 || hasTasks) {
            wait.reset();
            return ready > 0 || hasTasks ? ready : CONTINUE;
        }
        if (wait.idle() != IdleStrategy.State.PARKED) {
            return CONTINUE;
        }
        slept = inputs.fallAsleep();
        return slept ? SELECT : CONTINUE;
    }
}
