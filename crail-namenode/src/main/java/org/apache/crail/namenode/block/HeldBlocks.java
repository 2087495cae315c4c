/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BiConsumer;

/**
 * Regions that are new to this namenode, but may be known to clients: their blocks wait as those of removed nodes do. A
 * region is one entry, however many blocks it has. All wait equally long. Not thread safe; guarded by the namespace's lock.
 */
final class HeldBlocks {
    private final Deque<Held> queue = new ArrayDeque<>();

    void add(Datanode datanode, BlockRange range, long dueNs) {
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

    /** Visits what waits, of datanodes that are known. */
    void forEach(BiConsumer<Datanode, BlockRange> consumer) {
        for (Held held : queue) {
            if (!held.datanode.isRetired()) {
                consumer.accept(held.datanode, held.range);
            }
        }
    }

    private record Held(Datanode datanode, BlockRange range, long dueNs) {}
}
