/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Counts every block once: in the free lists, among those that wait, and as the caller finds it with a node; notes
 * blocks that appear twice and those that appear nowhere. It goes in steps, beside changes, and counts what was when it
 * began, see {@link AuditedLife}: a change while it lasts is no problem. {@link #walkLists} is to be called until it is
 * done, then all nodes are visited, and {@link #finish} is called until it is done. Not thread safe; each call needs
 * the namespace's lock, the first and the last one for writing.
 */
public final class BlockAudit {
    private static final int MAX_PROBLEMS = 100;

    /** No node has this id. */
    private static final long NOBODY = 0;

    private final DatanodeRegistry datanodes;
    private final Map<Integer, AuditedLife> lives = new HashMap<>();
    private final Deque<Walk> walks = new ArrayDeque<>();
    private final Deque<AuditedLife> unfinished = new ArrayDeque<>();
    private final List<String> problems = new ArrayList<>();

    /** Of the life that is being finished: the next block to look at, and the parts of those before that came back. */
    private int next;

    private int returnedParts;

    /** Begins: from now on the datanodes tell what changes. */
    BlockAudit(DatanodeRegistry datanodes, PendingBlocks queue, HeldBlocks held) {
        this.datanodes = datanodes;
        for (DatanodeLife datanode : datanodes.allLives()) {
            AuditedLife life = new AuditedLife(datanode);
            lives.put(datanode.index(), life);
            unfinished.add(life);
            datanode.audit(life);
            FreeBlocks.Walk free = datanode.walkFree();
            walks.add(limit -> free.walk(limit, number -> find(life, number, BlockPlace.FREE)));
        }
        PendingBlocks.Walk waiting = queue.walk();
        walks.add(limit -> waiting.walk(limit, block -> find(block, BlockPlace.WAITING, NOBODY)));
        HeldBlocks.Walk regions = held.walk();
        walks.add(limit -> regions.walk(
                limit, (datanode, number) -> find(lives.get(datanode.index()), number, BlockPlace.WAITING)));
    }

    /** A part of the lists; visits so many blocks at most from where it stopped, and answers how many. */
    @FunctionalInterface
    private interface Walk {
        int walk(int limit);
    }

    /** Goes on with free lists and queues, so many blocks at most; whether there is more. */
    public boolean walkLists(int limit) {
        int left = limit;
        while (left > 0 && !walks.isEmpty()) {
            int done = walks.peek().walk(left);
            if (done < left) {
                walks.remove();
            }
            left -= Math.max(1, done);
        }
        return !walks.isEmpty();
    }

    /** Notes a block that a node of the tree holds. */
    public void allocated(long block, long fd) {
        find(block, BlockPlace.HELD, fd);
    }

    /** Notes a block that a removed node holds which reclamation has not come to. */
    public void removed(long block, long fd) {
        find(block, BlockPlace.REMOVED, fd);
    }

    /** Notes a block that a removed node has got from another one, which may have been visited with it before. */
    public void handedOver(long block) {
        AuditedLife life = lifeOf(block);
        if (life != null && !life.isOver() && !life.isNewer(block)) {
            AuditMarks.Find ignored = life.findReference(block, BlockPlace.REMOVED);
        }
    }

    /** The life of a block; null for one that began later, or has gone while the block was in the queue. */
    private AuditedLife lifeOf(long block) {
        AuditedLife life = lives.get(BlockId.datanode(block));
        return life != null && life.datanode() == datanodes.byIndex(BlockId.datanode(block)) ? life : null;
    }

    /** Notes something else that is wrong. */
    public void problem(String sentence) {
        if (problems.size() < MAX_PROBLEMS) {
            problems.add(sentence);
        }
    }

    /**
     * Looks for blocks that are nowhere and compares with what the datanodes count, so many blocks at most. With the
     * last step the datanodes stop to tell what changes.
     *
     * @return whether there is more
     */
    public boolean finish(int limit) {
        int left = limit;
        while (left > 0 && !unfinished.isEmpty()) {
            left -= Math.max(1, finish(unfinished.peek(), left));
        }
        return !unfinished.isEmpty();
    }

    private int finish(AuditedLife life, int limit) {
        int done = 0;
        int end = life.isOver() || life.wasRetired() ? 0 : life.blocks();
        for (; next < end && done < limit; done++) {
            if (life.isMissing(next)) {
                countShared(life, life.datanode().shared().get(next));
                next++;
            } else {
                next = life.firstMissing(next);
            }
        }
        if (next >= end) {
            compare(life);
            unfinished.remove();
            next = 0;
            returnedParts = 0;
        }
        return done;
    }

    /** A block that has been found nowhere is one that small nodes share, or missing. */
    private void countShared(AuditedLife life, SharedBlock shared) {
        if (shared == null) {
            return;
        }
        AuditMarks.Find ignored = life.find(shared.number(), BlockPlace.HELD);
        int parts = life.foundParts(shared.number());
        returnedParts += shared.returned();
        if (parts >= 0) {
            expect(life, "parts of block " + shared.number() + " found", parts, shared.heldParts());
        }
    }

    private void compare(AuditedLife life) {
        life.datanode().audit(null);
        if (life.isOver()) {
            return;
        }
        expect(life, "blocks held or waiting", life.references(), life.referencesBefore());
        if (!life.wasRetired()) {
            expect(life, "blocks found", life.found(), life.blocks());
            expect(life, "blocks free", life.counted(BlockPlace.FREE), life.freeBefore());
            expect(life, "blocks waiting", life.counted(BlockPlace.WAITING), life.waitingBefore());
            if (!life.havePartsChanged()) {
                int books = life.datanode().shared().returnedParts();
                expect(life, "parts that came back found", returnedParts, books);
                expect(
                        life,
                        "parts waiting",
                        life.waitingParts(),
                        life.datanode().pendingParts());
            }
        }
    }

    /** Ends the count, also one that is not done. */
    public void end() {
        unfinished.forEach(life -> life.datanode().audit(null));
        unfinished.clear();
        walks.clear();
    }

    /** Blocks of the datanodes that were known when the count began, and still are. */
    public long registered() {
        return sum(AuditedLife::blocks);
    }

    public long free() {
        return sum(life -> life.counted(BlockPlace.FREE));
    }

    /** Blocks that wait, or are going to as their nodes have been removed. */
    public long pending() {
        return sum(life -> life.counted(BlockPlace.WAITING) + life.counted(BlockPlace.REMOVED));
    }

    public long allocated() {
        return sum(life -> life.counted(BlockPlace.HELD));
    }

    private long sum(ToLongFunction<AuditedLife> number) {
        return lives.values().stream()
                .filter(life -> !life.wasRetired() && !life.isOver())
                .mapToLong(number)
                .sum();
    }

    /** Blocks and parts that nodes hold of datanodes that came back without them. */
    public long lost() {
        return lives.values().stream()
                .filter(life -> life.wasRetired() || life.isOver())
                .mapToLong(life -> life.counted(BlockPlace.HELD))
                .sum();
    }

    /** One sentence per inconsistency; empty if all is sound. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    /** Somebody refers to a block, or to a part of one. */
    private void find(long block, BlockPlace place, long fd) {
        AuditedLife life = lifeOf(block);
        if (life == null) {
            checkDatanode(block, place, fd);
            return;
        }
        if (life.isOver() || life.isNewer(block)) {
            checkExists(life, block, place, fd);
            return;
        }
        AuditMarks.Find found = life.findReference(block, place);
        if (found == AuditMarks.Find.TWICE) {
            problem(describe(place, fd) + " holds " + describe(life, block) + ", which is held elsewhere too");
        } else if (found == AuditMarks.Find.NEW && !life.wasRetired()) {
            checkSharing(life, block, place, fd);
        }
    }

    private void checkDatanode(long block, BlockPlace place, long fd) {
        int index = BlockId.datanode(block);
        if (!lives.containsKey(index) && datanodes.byIndex(index) == null) {
            problem(describe(place, fd) + " holds block " + Long.toHexString(block) + " of an unknown datanode");
        }
    }

    private void checkExists(AuditedLife life, long block, BlockPlace place, long fd) {
        if (!life.isOver() && BlockId.number(block) >= life.datanode().blocks()) {
            problem(describe(place, fd) + " holds " + describe(life, block) + ", which does not exist");
        }
    }

    /** A part belongs to a shared block, and a whole one is none. */
    private void checkSharing(AuditedLife life, long block, BlockPlace place, long fd) {
        SharedBlock shared = life.datanode().shared().get(BlockId.number(block));
        boolean isPart = BlockId.isPart(block);
        if (isPart && (shared == null || !shared.isHeld(BlockId.part(block)))) {
            problem(describe(place, fd) + " holds " + describe(life, block) + ", which is not given out");
        } else if (!isPart && shared != null) {
            problem(describe(place, fd) + " holds " + describe(life, block) + ", which small nodes share");
        }
    }

    /** A block is in a list, and nobody refers to it. */
    private void find(AuditedLife life, int number, BlockPlace place) {
        if (life.isOver() || number >= life.blocks()) {
            return;
        }
        AuditMarks.Find found = life.find(number, place);
        boolean isShared =
                found == AuditMarks.Find.NEW && life.datanode().shared().get(number) != null;
        if (found == AuditMarks.Find.TWICE || isShared) {
            problem(describe(place, NOBODY) + " holds block " + number + " of " + address(life)
                    + ", which is held elsewhere too");
        }
    }

    private static String describe(BlockPlace place, long fd) {
        return switch (place) {
            case FREE -> "a free list";
            case WAITING -> "the reclamation queue";
            case HELD -> "node " + fd;
            case REMOVED -> "removed node " + fd;
        };
    }

    private static String describe(AuditedLife life, long block) {
        return (BlockId.isPart(block) ? "part " + BlockId.part(block) + " of " : "") + "block " + BlockId.number(block)
                + " of " + address(life);
    }

    private static String address(AuditedLife life) {
        return life.datanode().info().address();
    }

    private void expect(AuditedLife life, String what, long actual, long expected) {
        if (actual != expected) {
            problem("datanode " + address(life) + ": " + actual + " " + what + ", the books say " + expected);
        }
    }
}
