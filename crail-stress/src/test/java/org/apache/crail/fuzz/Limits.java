/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What an input may cost, and what may be told of it. Used by one thread. */
public final class Limits {
    private static final long FIXED_BYTES = 4 << 20;

    private static final long BYTES_PER_BYTE = 512;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Limits() {}

    /**
     * Takes an input; twice, if the first time took much memory, as then classes may have been loaded.
     *
     * @throws AssertionError if that took far more memory than the input has, or was logged as an error
     */
    public static void check(byte[] input, Runnable target) {
        long most = FIXED_BYTES + BYTES_PER_BYTE * input.length;
        LoggedErrors.clear();
        if (taken(target) > most) {
            long taken = taken(target);
            if (taken > most) {
                throw new AssertionError(taken + " bytes were allocated for an input of " + input.length);
            }
        }
        LoggedErrors.raise();
    }

    private static long taken(Runnable target) {
        long thread = Thread.currentThread().getId();
        long before = THREADS.getThreadAllocatedBytes(thread);
        target.run();
        return THREADS.getThreadAllocatedBytes(thread) - before;
    }
}
