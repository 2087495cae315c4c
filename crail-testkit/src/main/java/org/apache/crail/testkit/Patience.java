/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import java.time.Duration;

/**
 * How long servers and clients of tests wait for each other before they take each other for lost. The system property
 * {@code crail.test.patience} is a factor, 1 unless set; slow machines want more. Stateless.
 */
public final class Patience {
    private static final int FACTOR = Integer.getInteger("crail.test.patience", 1);

    private Patience() {}

    /** Such a time limit on this machine. */
    public static Duration of(Duration limit) {
        return limit.multipliedBy(FACTOR);
    }

    /** The same as a configuration's value. */
    public static String ofMs(long limitMs) {
        return of(Duration.ofMillis(limitMs)).toMillis() + "ms";
    }
}
