/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * One life of a datanode, as a count of all blocks finds it. Each block counts for the place that it had when the count
 * began: the place in which it is found, or, if it changes before it is found, the one that it leaves. A block that has
 * changed is not judged any more, wherever it is found (a snapshot at the beginning, as collectors of garbage take one;
 * Yuasa, JSS 1990). Not thread safe; guarded by the namespace's lock.
 */
final class AuditedLife {
    private static final int CHUNK = 1024;

    private final DatanodeLife datanode;
    private final int blocks;
    private final boolean wasRetired;
    private final int freeBefore;
    private final int waitingBefore;
    private final long referencesBefore;
    private final AuditMarks wholeBlocks = new AuditMarks();
    private AuditMarks[][] parts = {}; // of shared blocks, by their numbers
    private final Map<BlockPlace, Long> counts = new EnumMap<>(BlockPlace.class);
    private long references;
    private long waitingParts;
    private boolean havePartsChanged;
    private boolean isOver;

    AuditedLife(DatanodeLife datanode) {
        this.datanode = datanode;
        this.blocks = datanode.blocks();
        this.wasRetired = datanode.isRetired();
        this.freeBefore = datanode.freeBlocks();
        this.waitingBefore = datanode.pendingBlocks();
        this.referencesBefore = datanode.references();
    }

    DatanodeLife datanode() {
        return datanode;
    }

    /** How many blocks it had when the count began; those that have come since are not looked at. */
    int blocks() {
        return blocks;
    }

    /** Whether its blocks were lost when the count began. */
    boolean wasRetired() {
        return wasRetired;
    }

    /** Whether its blocks have been lost since, so that nothing about them can be said. */
    boolean isOver() {
        return isOver;
    }

    /** It has been retired. */
    void end() {
        isOver = true;
    }

    /** A block is found in a place where nobody refers to it: free, held back with its region, or shared. */
    AuditMarks.Find find(int number, BlockPlace place) {
        AuditMarks.Find find = wholeBlocks.find(number);
        if (find == AuditMarks.Find.NEW) {
            add(place, 1);
        }
        return find;
    }

    /** A block leaves such a place. */
    void leave(int number, BlockPlace place) {
        if (!isOver && number < blocks && wholeBlocks.change(number)) {
            add(place, 1);
        }
    }

    /** All blocks of a range leave such a place. */
    void leave(BlockRange range, BlockPlace place) {
        if (!isOver) {
            int end = Math.min(range.end(), blocks);
            int from = Math.min(range.begin(), end);
            add(place, wholeBlocks.change(from, end));
        }
    }

    /** A block, or a part of one, is found with a node or in the queue. */
    AuditMarks.Find findReference(long block, BlockPlace place) {
        AuditMarks.Find find = marksOf(block).find(indexOf(block));
        if (find == AuditMarks.Find.NEW) {
            countReference(block, place);
        }
        return find;
    }

    /** A block, or a part of one, leaves a node or the queue. */
    void leaveReference(long block, BlockPlace place) {
        havePartsChanged |= BlockId.isPart(block); // of newer blocks, too: the books count them all
        if (!isOver && !isNewer(block) && marksOf(block).change(indexOf(block))) {
            countReference(block, place);
        }
    }

    /** A part of a shared block that nobody held is given out. */
    void takePart(long part) {
        havePartsChanged = true;
        if (!isOver && !isNewer(part)) {
            boolean ignored = marksOf(part).change(indexOf(part));
        }
    }

    /** Whether a block has been added since the count began; lives that were over have none of these. */
    boolean isNewer(long block) {
        return !wasRetired && BlockId.number(block) >= blocks;
    }

    private AuditMarks marksOf(long block) {
        return BlockId.isPart(block) ? partsOf(BlockId.number(block)) : wholeBlocks;
    }

    private AuditMarks partsOf(int number) {
        int chunk = number / CHUNK;
        if (chunk >= parts.length) {
            parts = Arrays.copyOf(parts, Math.max(chunk + 1, parts.length * 2));
        }
        if (parts[chunk] == null) {
            parts[chunk] = new AuditMarks[CHUNK];
        }
        if (parts[chunk][number % CHUNK] == null) {
            parts[chunk][number % CHUNK] = new AuditMarks();
        }
        return parts[chunk][number % CHUNK];
    }

    private static int indexOf(long block) {
        return BlockId.isPart(block) ? BlockId.part(block) : BlockId.number(block);
    }

    /** A part counts with its block, but if it is lost. */
    private void countReference(long block, BlockPlace place) {
        references++;
        waitingParts += place == BlockPlace.WAITING && BlockId.isPart(block) ? 1 : 0;
        if (wasRetired || !BlockId.isPart(block)) {
            add(place, 1);
        }
    }

    private void add(BlockPlace place, long more) {
        counts.merge(place, more, Long::sum);
    }

    /** See {@link AuditMarks#firstMissing}; not before {@link #blocks} if none is missing. */
    int firstMissing(int from) {
        return wholeBlocks.firstMissing(from);
    }

    boolean isMissing(int number) {
        return !wholeBlocks.isFound(number);
    }

    /** How many blocks were found, or have changed. */
    int found() {
        return wholeBlocks.found();
    }

    /** How many parts of a shared block were found with nodes or in the queue; -1 if some have changed. */
    int foundParts(int number) {
        AuditMarks marks = partsOf(number);
        return marks.hasChanged() ? -1 : marks.found();
    }

    boolean havePartsChanged() {
        return havePartsChanged;
    }

    long counted(BlockPlace place) {
        return counts.getOrDefault(place, 0L);
    }

    long references() {
        return references;
    }

    int freeBefore() {
        return freeBefore;
    }

    /** How many parts were found in the queue. */
    long waitingParts() {
        return waitingParts;
    }

    int waitingBefore() {
        return waitingBefore;
    }

    long referencesBefore() {
        return referencesBefore;
    }
}
