/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.console;

import java.time.Duration;

/** Durations as people read them: the two largest units. Stateless. */
public final class Durations {
    private Durations() {}

    /** A duration in words. */
    public static String human(long ms) {
        Duration time = Duration.ofMillis(ms);
        if (time.toDays() > 0) {
            return time.toDays() + " d " + time.toHoursPart() + " h";
        }
        if (time.toHours() > 0) {
            return time.toHours() + " h " + time.toMinutesPart() + " min";
        }
        if (time.toMinutes() > 0) {
            return time.toMinutes() + " min " + time.toSecondsPart() + " s";
        }
        return time.toSeconds() + " s";
    }
}
