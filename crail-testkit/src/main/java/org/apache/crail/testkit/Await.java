/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import java.time.Duration;

/** Waits for conditions, so that tests need no sleeps of guessed length. All methods are thread safe. */
public final class Await {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final long STEP_MS = 2;

    private Await() {}

    /** Waits until the condition holds; fails with {@code what} after a minute. */
    public static void until(String what, Condition condition) throws Exception {
        until(what, LIMIT, condition);
    }

    /** Waits until the condition holds; fails with {@code what} after the limit. */
    public static void until(String what, Duration limit, Condition condition) throws Exception {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("waited " + limit.toMillis() + " ms in vain until " + what);
            }
            Thread.sleep(STEP_MS);
        }
    }

    /** What is waited for. */
    @FunctionalInterface
    public interface Condition {
        /** Whether it is so now. */
        boolean holds() throws Exception;
    }
}
