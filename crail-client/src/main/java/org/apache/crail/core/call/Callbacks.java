/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.call;

/**
 * Knows the threads that complete operations at this moment. What is chained to an operation must not wait for others,
 * which that very thread may have to complete. All state belongs to one thread.
 */
public final class Callbacks {
    private static final ThreadLocal<Callbacks> MARK = ThreadLocal.withInitial(Callbacks::new);

    private int depth;

    private Callbacks() {}

    /** Whether this thread completes an operation. */
    public static boolean isInside() {
        return MARK.get().depth > 0;
    }

    /** This thread begins to complete an operation, with all that is chained to it. */
    public static void enter() {
        MARK.get().depth++;
    }

    /** This thread has completed what it {@link #enter}ed last. */
    public static void leave() {
        MARK.get().depth--;
    }
}
