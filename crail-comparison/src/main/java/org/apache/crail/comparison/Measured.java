/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/**
 * What has been measured.
 *
 * @param operations requests that are sent off together, and units of a file, count one by one
 * @param ns which they have taken
 * @param compiledNs which the compilers of this process have taken for what they have finished meanwhile
 */
record Measured(long operations, long ns, long compiledNs) {
    static final Measured NOTHING = new Measured(0, 0, 0);

    private static final CompilationMXBean COMPILERS = ManagementFactory.getCompilationMXBean();

    Measured plus(Measured more) {
        return new Measured(operations + more.operations, ns + more.ns, compiledNs + more.compiledNs);
    }

    Measured minus(Measured less) {
        return new Measured(operations - less.operations, ns - less.ns, compiledNs - less.compiledNs);
    }

    /** What the compilers of this process have taken until now; 0 if it has none. */
    static long compiledNsUntilNow() {
        return COMPILERS == null ? 0 : TimeUnit.MILLISECONDS.toNanos(COMPILERS.getTotalCompilationTime());
    }
}
