/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.internal;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** What the outermost loop of a thread that must not end does with whatever its work throws. Stateless. */
public final class LastResort {
    private LastResort() {}

    /**
     * Runs a task; nothing that it throws gets out, so that the loop around goes on.
     *
     * @param onFailure told what the task threw, for a log; what it throws itself is dropped, as memory may be short
     */
    public static void run(Runnable task, Consumer<Throwable> onFailure) {
        try {
            task.run();
        } catch (Throwable failure) {
            tell(onFailure, failure);
        }
    }

    /** Tells of a failure; drops what that throws. */
    public static void tell(Consumer<Throwable> onFailure, Throwable failure) {
        try {
            onFailure.accept(failure);
        } catch (Throwable untold) {
            // As when there is no memory for the text either: there is nobody left to tell.
        }
    }

    /**
     * Lets others have the processor before a loop goes on after a failure, as that may be there to stay. An interrupt
     * does not end the pause, and shows afterwards in the thread's flag: without a pause the loop would spin.
     */
    public static void pause(long pauseMs) {
        boolean wasInterrupted = false;
        long beginNs = System.nanoTime();
        long pauseNs = TimeUnit.MILLISECONDS.toNanos(pauseMs);
        for (long leftNs = pauseNs; leftNs > 0; leftNs = pauseNs - (System.nanoTime() - beginNs)) {
            wasInterrupted |= Thread.interrupted();
            LockSupport.parkNanos(leftNs);
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
