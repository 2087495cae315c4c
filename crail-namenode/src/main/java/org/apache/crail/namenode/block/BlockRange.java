/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import java.util.List;
import java.util.function.IntConsumer;

/**
 * Consecutive blocks of a datanode. Immutable.
 *
 * @param begin the number of the first one
 * @param end the number behind the last one
 */
record BlockRange(int begin, int end) {
    int count() {
        return end - begin;
    }

    BlockRange withoutFirst() {
        return new BlockRange(begin + 1, end);
    }

    /** A walk over ranges that stops and goes on. Not thread safe. */
    static final class Walk {
        private final List<BlockRange> ranges;
        private int nextRange;
        private int nextInRange;

        Walk(List<BlockRange> ranges) {
            this.ranges = ranges;
        }

        /** Visits so many blocks at most; how many. Fewer if there are no more. */
        int walk(int limit, IntConsumer consumer) {
            int done = 0;
            while (done < limit && nextRange < ranges.size()) {
                BlockRange range = ranges.get(nextRange);
                if (nextInRange < range.count()) {
                    consumer.accept(range.begin() + nextInRange++);
                    done++;
                } else {
                    nextRange++;
                    nextInRange = 0;
                }
            }
            return done;
        }
    }
}
