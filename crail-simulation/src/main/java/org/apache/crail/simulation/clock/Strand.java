/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.clock;

import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/**
 * A thread of the simulation, which runs only while it holds the baton. Made and resumed by the scheduler's thread.
 */
final class Strand {
    private final SimulatedProcess process;
    private final Semaphore turn = new Semaphore(0);
    private final Semaphore back = new Semaphore(0);
    private Future<?> awaited;
    private boolean woken;
    private boolean ended;
    private Throwable failure;

    Strand(SimulatedProcess process) {
        this.process = process;
    }

    SimulatedProcess process() {
        return process;
    }

    /** Runs on a thread of its own, from its first turn on. */
    void run(Runnable body) {
        turn.acquireUninterruptibly();
        try {
            if (!process.hasCrashed()) {
                body.run();
            }
        } catch (ProcessCrashed e) {
            // as it should
        } catch (Throwable e) {
            failure = process.hasCrashed() ? null : e;
        } finally {
            ended = true;
            back.release();
        }
    }

    /** Gives the strand the baton, until it waits or ends. By the scheduler. */
    void resume() {
        turn.release();
        back.acquireUninterruptibly();
    }

    /**
     * Gives the baton back, by the strand, until it is woken; nothing wakes it but time if {@code future} is null.
     */
    void await(Future<?> future) {
        awaited = future;
        woken = false;
        back.release();
        turn.acquireUninterruptibly();
        awaited = null;
        if (process.hasCrashed()) {
            throw new ProcessCrashed(process);
        }
    }

    /** Whether what it waits for is there, and nobody has woken it. */
    boolean isReady() {
        return !woken && !ended && awaited != null && awaited.isDone();
    }

    /** Marks that it is about to be resumed; false if that has been done. */
    boolean wake() {
        boolean first = !woken && !ended;
        woken = true;
        return first;
    }

    boolean hasEnded() {
        return ended;
    }

    /** What it ended with; null if with nothing. */
    Throwable failure() {
        return failure;
    }
}
