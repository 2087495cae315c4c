/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Regions that are new to this namenode, but may be known to clients: their blocks wait as those of removed nodes do. A
 * region is one entry, however many blocks it has. All wait equally long. Not thread safe; guarded by the namespace's
 * lock.
 */
final class HeldBlocks {
    private final Deque<Held> queue = new ArrayDeque<>();

    void add(DatanodeLife datanode, BlockRange range, long dueNs) {
        queue.add(new Held(datanode, range, dueNs));
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    /** Makes the blocks of at most {@code limit} regions free that have waited long enough; returns of how many. */
    int release(long nowNs, int limit) {
        int done = 0;
        while (done < limit && !queue.isEmpty() && nowNs - queue.peek().dueNs >= 0) {
            Held held = queue.remove();
            held.datanode.releaseHeld(held.range);
            done++;
        }
        return done;
    }

    /**
     * Begins a walk over what waits now, which may go on beside changes; it visits also what is released meanwhile,
     * unless its datanode is retired.
     */
    Walk walk() {
        return new Walk(queue.toArray(new Held[0]));
    }

    /** Told of a block. */
    @FunctionalInterface
    interface Visitor {
        void visit(DatanodeLife datanode, int number);
    }

    /** A walk that stops and goes on. */
    static final class Walk {
        private final Held[] waiting;
        private int next;
        private int nextInRange;

        private Walk(Held[] waiting) {
            this.waiting = waiting;
        }

        /** Visits so many blocks at most, and leaves regions out; how many of both. Fewer if there are no more. */
        int walk(int limit, Visitor visitor) {
            int done = 0;
            while (done < limit && next < waiting.length) {
                Held held = waiting[next];
                if (held.datanode.isRetired()) {
                    nextInRange = held.range.count();
                    done++;
                } else if (nextInRange < held.range.count()) {
                    visitor.visit(held.datanode, held.range.begin() + nextInRange++);
                    done++;
                }
                if (nextInRange >= held.range.count()) {
                    next++;
                    nextInRange = 0;
                }
            }
            return done;
        }
    }

    private record Held(DatanodeLife datanode, BlockRange range, long dueNs) {}
}
