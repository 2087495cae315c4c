/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until told. Thread safe. */
class ManualClock implements NamenodeClock {
    private static final long START_MS = 1_700_000_000_000L;

    private final AtomicLong passedNs = new AtomicLong();

    void advanceMs(long ms) {
        passedNs.addAndGet(TimeUnit.MILLISECONDS.toNanos(ms));
    }

    @Override
    public long nanoTime() {
        return Long.MAX_VALUE - 5_000_000_000L + passedNs.get(); // overflows soon, as System.nanoTime() may
    }

    @Override
    public long currentTimeMillis() {
        return START_MS + TimeUnit.NANOSECONDS.toMillis(passedNs.get());
    }
}
