/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts every block once: in the free lists, among the pending, and as the caller finds it with a node; notes blocks that
 * appear twice and those that appear nowhere. Confined to one call, which holds the namespace's lock throughout.
 */
public final class BlockAudit {
    private static final int MAX_PROBLEMS = 100;

    private final DatanodeRegistry datanodes;
    private final Map<Integer, BitSet> seen = new HashMap<>();
    private final Map<Long, BitSet> seenParts = new HashMap<>();
    private final Map<Integer, Long> references = new HashMap<>();
    private final List<String> problems = new ArrayList<>();
    private long free;
    private long pending;
    private long allocated;
    private long lost;

    BlockAudit(DatanodeRegistry datanodes, PendingBlocks queue, HeldBlocks held) {
        this.datanodes = datanodes;
        for (Datanode datanode : datanodes.all()) {
            long before = free;
            datanode.forEachFree(number -> free += see(BlockId.of(datanode.index(), number), "free list"));
            expect(datanode, "free", free - before, datanode.freeBlocks());
            for (SharedBlock shared : datanode.shared().all()) {
                allocated += see(BlockId.of(datanode.index(), shared.number()), "list of shared blocks");
            }
        }
        queue.forEach(block -> {
            countReference(block);
            pending += isRetired(block) ? 0 : count(block, "reclamation queue");
        });
        held.forEach((datanode, range) -> range.forEach(
                number -> pending += see(BlockId.of(datanode.index(), number), "list of regions that wait")));
        long counted =
                datanodes.all().stream().mapToLong(Datanode::pendingBlocks).sum();
        if (counted != pending) {
            problem("datanodes count " + counted + " pending blocks, the queue holds " + pending);
        }
    }

    /** Notes a block that a node of the tree holds. */
    public void allocated(long block, long fd) {
        countReference(block);
        if (isRetired(block)) {
            lost++;
        } else {
            allocated += count(block, "node " + fd);
        }
    }

    /** Notes a block that a removed node holds which reclamation has not come to. */
    public void removed(long block, long fd) {
        countReference(block);
        if (!isRetired(block)) {
            pending += count(block, "removed node " + fd);
        }
    }

    /** Notes something else that is wrong. */
    public void problem(String sentence) {
        if (problems.size() < MAX_PROBLEMS) {
            problems.add(sentence);
        }
    }

    /** Ends the count: looks for blocks that are nowhere. Call once, after all nodes have been visited. */
    public void finish() {
        for (Datanode datanode : datanodes.all()) {
            BitSet blocks = seen.getOrDefault(datanode.index(), new BitSet());
            expect(datanode, "found", blocks.cardinality(), datanode.blocks());
            for (SharedBlock shared : datanode.shared().all()) {
                BitSet parts = seenParts.getOrDefault(BlockId.of(datanode.index(), shared.number()), new BitSet());
                expectParts(datanode, "of block " + shared.number(), parts.cardinality(), shared.heldParts());
            }
            int returned = datanode.shared().all().stream()
                    .mapToInt(SharedBlock::returned)
                    .sum();
            expectParts(datanode, "that came back", returned, datanode.shared().returnedParts());
        }
        for (Datanode datanode : datanodes.allLives()) {
            long held = references.getOrDefault(datanode.index(), 0L);
            expect(datanode, "held or waiting", held, datanode.references());
        }
    }

    public long registered() {
        return datanodes.all().stream().mapToLong(Datanode::blocks).sum();
    }

    public long free() {
        return free;
    }

    public long pending() {
        return pending;
    }

    public long allocated() {
        return allocated;
    }

    public long lost() {
        return lost;
    }

    /** One sentence per inconsistency; empty if all is sound. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    private void countReference(long block) {
        references.merge(BlockId.datanode(block), 1L, Long::sum);
    }

    private boolean isRetired(long block) {
        Datanode datanode = datanodes.byIndex(BlockId.datanode(block));
        return datanode != null && datanode.isRetired();
    }

    /** Sees a block, or a part of one, whose block has been counted. */
    private int count(long block, String where) {
        if (!BlockId.isPart(block)) {
            return see(block, where);
        }
        Datanode datanode = datanodes.byIndex(BlockId.datanode(block));
        SharedBlock shared = datanode == null ? null : datanode.shared().get(BlockId.number(block));
        int part = BlockId.part(block);
        if (shared == null || !shared.isHeld(part)) {
            problem(where + " holds part " + Long.toHexString(block) + ", which is not given out");
            return 0;
        }
        BitSet parts = seenParts.computeIfAbsent(BlockId.of(datanode.index(), shared.number()), id -> new BitSet());
        if (parts.get(part)) {
            problem(where + " holds part " + part + " of block " + shared.number() + " of "
                    + datanode.info().address() + ", which is held elsewhere too");
        }
        parts.set(part);
        return 0;
    }

    private int see(long block, String where) {
        Datanode datanode = datanodes.byIndex(BlockId.datanode(block));
        int number = BlockId.number(block);
        if (datanode == null || number < 0 || number >= datanode.blocks()) {
            problem(where + " holds block " + Long.toHexString(block) + ", which does not exist");
            return 0;
        }
        BitSet blocks = seen.computeIfAbsent(datanode.index(), index -> new BitSet(datanode.blocks()));
        if (blocks.get(number)) {
            problem(where + " holds block " + number + " of " + datanode.info().address()
                    + ", which is held elsewhere too");
            return 0;
        }
        blocks.set(number);
        return 1;
    }

    private void expectParts(Datanode datanode, String which, int actual, int expected) {
        if (actual != expected) {
            problem("datanode " + datanode.info().address() + ": " + actual + " parts " + which
                    + " found, the books say " + expected);
        }
    }

    private void expect(Datanode datanode, String what, long actual, long expected) {
        if (actual != expected) {
            problem("datanode " + datanode.info().address() + ": " + actual + " blocks " + what + ", the books say "
                    + expected);
        }
    }
}
