/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.block;

/**
 * Makes the errors of memory accesses come where they belong. When a file is cut short under its mapping, the JVM turns
 * the signal into an {@link InternalError}, but throws it only when the thread calls into the JVM the next time, which
 * may be in the code of somebody else. Thread safe.
 */
public final class MemoryFaults {
    private static volatile int one = 1;

    private MemoryFaults() {}

    /**
     * Throws the {@link InternalError} of an access that this thread has made before.
     *
     * <p>An array of arrays whose size the compiler does not know is always made by a call into the JVM that throws
     * pending errors when it returns; calls of native methods do not on all releases.
     */
    public static void raise() {
        int rows = one;
        if (new byte[rows][0].length != rows) {
            throw new AssertionError(rows);
        }
    }
}
