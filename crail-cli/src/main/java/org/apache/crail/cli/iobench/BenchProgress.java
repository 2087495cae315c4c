/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.iobench;

import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import org.apache.crail.cli.console.Sizes;

/** How far a test is, as a line for a person. Stateless. */
final class BenchProgress {
    private BenchProgress() {}

    /** The line: share, operations, bytes. */
    static String line(List<Meter> meters) {
        return String.format(
                Locale.ROOT,
                "%3.0f %%, %d operations, %s",
                100.0 * sum(meters, Meter::rounds) / sum(meters, Meter::expectedRounds),
                sum(meters, Meter::operations),
                Sizes.human(sum(meters, Meter::bytes)));
    }

    private static long sum(List<Meter> meters, ToLongFunction<Meter> count) {
        return meters.stream().mapToLong(count).sum();
    }
}
