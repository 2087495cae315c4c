/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage;

import java.util.concurrent.Future;

/**
 * The future of a transfer that can be brought forward by a thread that waits for it, so that no other has to be woken.
 * Transfers complete without that as well. Thread safe.
 */
public interface Advanceable {
    /**
     * Looks for completions until {@code awaited} is done, or looking does not pay any more; not at all if another
     * thread looks. To be called also when {@code awaited} is done: then it only tells that this thread comes for what
     * it has begun. What is chained to a transfer runs here if this thread began the transfer, otherwise where it
     * always does.
     *
     * @param awaited what this thread is about to wait for
     * @param limitNs when to stop looking at the latest; the implementation may have a lower limit
     */
    void advance(Future<?> awaited, long limitNs);

    /** Says that nobody is going to {@link #advance} the transfer. */
    default void leave() {}
}
