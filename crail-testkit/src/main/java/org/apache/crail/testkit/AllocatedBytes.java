/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/** What all threads of this process together allocate in the heap. Stateless. */
public final class AllocatedBytes {
    private static final int PASSES = 6;

    private AllocatedBytes() {}

    /**
     * Fails unless a round allocates less than {@code limitBytes}, as the mean of {@code full} rounds, or less on slow
     * machines, in the best of six passes.
     */
    public static void assertLessThan(long limitBytes, int full, Round round) throws Exception {
        int rounds = Rounds.of(full);
        long least = Long.MAX_VALUE;
        for (int pass = 0; pass < PASSES && least >= limitBytes; pass++) {
            Map<Long, Long> before = byThread();
            for (int i = 0; i < rounds; i++) {
                round.run();
            }
            long bytes = 0;
            for (Map.Entry<Long, Long> thread : byThread().entrySet()) {
                bytes += thread.getValue() - before.getOrDefault(thread.getKey(), 0L);
            }
            least = Math.min(least, bytes / rounds);
        }
        assertThat(least).as("bytes").isLessThan(limitBytes);
    }

    private static Map<Long, Long> byThread() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long[] ids = threads.getAllThreadIds();
        long[] bytes = threads.getThreadAllocatedBytes(ids);
        Map<Long, Long> allocated = new HashMap<>();
        for (int i = 0; i < ids.length; i++) {
            allocated.put(ids[i], Math.max(0, bytes[i]));
        }
        return allocated;
    }

    /** What is measured. */
    @FunctionalInterface
    public interface Round {
        /** Does it once. */
        Object run() throws Exception;
    }
}
