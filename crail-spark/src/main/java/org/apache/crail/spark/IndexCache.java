/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Outputs that were found, or are being looked for, with up to {@link #MOST_OFFSETS} partitions in all. Those that were
 * not asked for the longest time go first. Thread safe.
 */
final class IndexCache {
    /** 12 MiB of offsets and checksums, and 4 bytes for each MiB of the outputs. */
    private static final int MOST_OFFSETS = 1 << 20;

    /** Guarded by itself; the one that was not asked for the longest time is the first. */
    private final Map<Id, Entry> known = new LinkedHashMap<>(16, 0.75f, true);

    /** Guarded by known. */
    private long offsets;

    private record Id(int shuffleId, long mapId) {}

    private record Entry(int partitions, CompletableFuture<MapOutput> output) {}

    /** What is known of an output, or what {@code ask} finds. The future is shared; a failure is not kept. */
    CompletableFuture<MapOutput> find(
            int shuffleId, long mapId, int partitions, Supplier<CompletableFuture<MapOutput>> ask) {
        Id id = new Id(shuffleId, mapId);
        Entry added = new Entry(partitions, new CompletableFuture<>());
        synchronized (known) {
            Entry before = known.putIfAbsent(id, added);
            if (before != null) {
                return before.output;
            }
            offsets += partitions;
            shrink();
        }
        ask.get().whenComplete((output, failure) -> {
            if (failure == null) {
                added.output.complete(output);
            } else {
                forget(id, added);
                added.output.completeExceptionally(failure);
            }
        });
        return added.output;
    }

    private void shrink() {
        Iterator<Entry> oldest = known.values().iterator();
        while (offsets > MOST_OFFSETS && known.size() > 1) {
            offsets -= oldest.next().partitions;
            oldest.remove();
        }
    }

    private void forget(Id id, Entry entry) {
        synchronized (known) {
            if (known.remove(id, entry)) {
                offsets -= entry.partitions;
            }
        }
    }

    /** Asks again when an output is wanted next. */
    void forget(int shuffleId, long mapId) {
        Id id = new Id(shuffleId, mapId);
        synchronized (known) {
            Entry removed = known.remove(id);
            offsets -= removed == null ? 0 : removed.partitions;
        }
    }

    /** Forgets all outputs of a shuffle. */
    void forget(int shuffleId) {
        synchronized (known) {
            known.entrySet().removeIf(each -> {
                boolean isMeant = each.getKey().shuffleId == shuffleId;
                offsets -= isMeant ? each.getValue().partitions : 0;
                return isMeant;
            });
        }
    }
}
