/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

/**
 * How often tests repeat what they do over and over. The system property {@code crail.test.rounds} is a percentage, 100
 * unless set; slow machines want less. Stateless.
 */
public final class Rounds {
    private static final int PERCENT = Integer.getInteger("crail.test.rounds", 100);

    private Rounds() {}

    /** So many instead of {@code full}; one at least. */
    public static int of(int full) {
        return Math.max(1, full * PERCENT / 100);
    }
}
