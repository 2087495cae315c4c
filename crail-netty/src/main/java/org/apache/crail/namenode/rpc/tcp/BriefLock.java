/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A lock that is held for moments. A thread that finds it taken does something else, or yields. Not reentrant. Thread
 * safe.
 */
final class BriefLock {
    private final AtomicBoolean taken = new AtomicBoolean();

    /** Whether a thread holds it now. */
    boolean isTaken() {
        return taken.get();
    }

    /** Takes it if it is free. Returns whether it was. */
    boolean tryLock() {
        return taken.compareAndSet(false, true);
    }

    /** Takes it, and yields to the thread that holds it until it is free. */
    @SuppressWarnings("ThreadPriorityCheck") // for a moment
    void lock() {
        while (!tryLock()) {
            Thread.yield();
        }
    }

    /** Lets go of it. */
    void unlock() {
        taken.set(false);
    }
}
