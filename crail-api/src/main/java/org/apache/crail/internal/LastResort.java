/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.internal;

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
}
