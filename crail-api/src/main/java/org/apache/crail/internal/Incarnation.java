/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.internal;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbers of the lives of datanodes. The upper 44 bits are the milliseconds since 1970 when it began, so that a later
 * one is higher; the lower 20 are random, so that two that began together differ. All methods are thread safe.
 */
public final class Incarnation {
    private static final int TIME_SHIFT = 20;
    private static final AtomicLong LAST = new AtomicLong();

    private Incarnation() {}

    /** The number of a life that begins now; higher than any before in this process. */
    public static long next() {
        long now = System.currentTimeMillis() << TIME_SHIFT | Surroundings.nextLong() >>> (Long.SIZE - TIME_SHIFT);
        return LAST.updateAndGet(last -> Math.max(last + 1, now));
    }

    /** A life in a message: its number, and when it began. */
    public static String text(long incarnation) {
        return "incarnation " + incarnation + " of " + Instant.ofEpochMilli(incarnation >> TIME_SHIFT);
    }
}
