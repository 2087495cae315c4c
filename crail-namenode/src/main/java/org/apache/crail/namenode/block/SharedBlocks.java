/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;

/**
 * The blocks of a datanode that small nodes share. A block becomes one when a part is wanted and none can be had, and
 * is free again when its last part has come back. New values go to the fullest blocks, so that emptier ones become free
 * as theirs are replaced. Not thread safe; guarded by the namespace's lock.
 */
final class SharedBlocks {
    /**
     * A block begins a new epoch when one in so many of its parts has come back; before that, only if no block is free.
     */
    private static final int WORTH_RENEWING = 4;

    /** Of so many blocks the one with the most parts to be had is renewed, when none is worth it. */
    private static final int LOOKED_AT = 64;

    private static final Comparator<SharedBlock> FULLEST_FIRST =
            Comparator.comparingInt(SharedBlock::heldParts).reversed().thenComparingInt(SharedBlock::number);

    private final Map<Integer, SharedBlock> blocks = new HashMap<>();
    private final NavigableSet<SharedBlock> worthRenewing = new TreeSet<>(FULLEST_FIRST); // never the open one
    private final Set<SharedBlock> withReturned = new LinkedHashSet<>();
    private final int parts;
    private SharedBlock open;
    private int returnedParts;

    SharedBlocks(int parts) {
        this.parts = parts;
    }

    /** Whether there is a part to be had without a free block. */
    boolean hasRoom() {
        return !withReturned.isEmpty() || (open != null && open.ready() > 0);
    }

    /**
     * Takes a part; there must be room, or a free block.
     *
     * @param freeBlock takes a free block, in a new epoch, or answers -1 if there is none
     * @param newEpoch begins a new epoch of a block
     * @return the block that it was taken of
     */
    SharedBlock takeFrom(IntSupplier freeBlock, IntConsumer newEpoch) {
        if (open == null || open.ready() == 0) {
            SharedBlock full = open;
            open = null;
            addIfWorthRenewing(full);
            open = next(freeBlock, newEpoch);
        }
        return open;
    }

    private SharedBlock next(IntSupplier freeBlock, IntConsumer newEpoch) {
        int number = worthRenewing.isEmpty() ? freeBlock.getAsInt() : -1;
        if (number >= 0) {
            SharedBlock fresh = new SharedBlock(number, parts);
            blocks.put(number, fresh);
            return fresh;
        }
        SharedBlock next = worthRenewing.isEmpty() ? withMostReturned() : worthRenewing.first();
        newEpoch.accept(next.number());
        forgetReturned(next);
        next.renew();
        return next;
    }

    private SharedBlock withMostReturned() {
        SharedBlock most = null;
        int looked = 0;
        for (Iterator<SharedBlock> it = withReturned.iterator(); it.hasNext() && looked < LOOKED_AT; looked++) {
            SharedBlock each = it.next();
            most = most == null || each.returned() > most.returned() ? each : most;
        }
        return most;
    }

    private void forgetReturned(SharedBlock block) {
        returnedParts -= block.returned();
        withReturned.remove(block);
        worthRenewing.remove(block);
    }

    private void addIfWorthRenewing(SharedBlock block) {
        if (block != null && block != open && block.returned() * WORTH_RENEWING >= parts) {
            worthRenewing.add(block);
        }
    }

    /** Parts that can be given out in a new epoch of their block. */
    int returnedParts() {
        return returnedParts;
    }

    /** Parts that can be had without a free block. */
    int room() {
        return returnedParts + (open == null ? 0 : open.ready());
    }

    /** Takes a part back; answers whether its block is unused now, and none of these any more. */
    boolean give(int number, int part) {
        SharedBlock block = blocks.get(number);
        worthRenewing.remove(block); // its place in the order changes
        block.give(part);
        returnedParts++;
        if (block.isUnused()) {
            blocks.remove(number);
            forgetReturned(block);
            open = open == block ? null : open;
            return true;
        }
        withReturned.add(block);
        addIfWorthRenewing(block);
        return false;
    }

    void clear() {
        blocks.clear();
        worthRenewing.clear();
        withReturned.clear();
        open = null;
        returnedParts = 0;
    }

    Collection<SharedBlock> all() {
        return blocks.values();
    }

    /** The shared block with a number, or null. */
    SharedBlock get(int number) {
        return blocks.get(number);
    }
}
