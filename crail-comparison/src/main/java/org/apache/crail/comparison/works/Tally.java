/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.works;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/**
 * What turns have measured together. Immutable.
 *
 * @param operations requests that are sent off together, and units of a file, count one by one
 * @param ns which they have taken
 * @param compiledNs which the compilers of this process have taken for what they have finished meanwhile
 */
public record Tally(long operations, long ns, long compiledNs) {
    /** Before the first turn. */
    public static final Tally NOTHING = new Tally(0, 0, 0);

    private static final CompilationMXBean COMPILERS = ManagementFactory.getCompilationMXBean();

    /** Both together. */
    public Tally plus(Tally more) {
        return new Tally(operations + more.operations, ns + more.ns, compiledNs + more.compiledNs);
    }

    /** What has come to the other one. */
    public Tally minus(Tally less) {
        return new Tally(operations - less.operations, ns - less.ns, compiledNs - less.compiledNs);
    }

    /** What the compilers of this process have taken until now; 0 if it has none. */
    static long compiledNsUntilNow() {
        return COMPILERS == null ? 0 : TimeUnit.MILLISECONDS.toNanos(COMPILERS.getTotalCompilationTime());
    }
}
