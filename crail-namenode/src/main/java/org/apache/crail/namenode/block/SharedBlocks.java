/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;
import java.util.function.Predicate;

/**
 * The blocks of a datanode that small values share. A block becomes one when a part is wanted and none can be had, and is
 * free again when its last part has come back. Not thread safe; guarded by the namespace's lock.
 */
final class SharedBlocks {
    /** A block begins a new epoch when one in so many of its parts has come back; before that, only if no block is free. */
    private static final int WORTH_RENEWING = 4;

    private final Map<Integer, SharedBlock> blocks = new HashMap<>();
    private final Deque<SharedBlock> worthRenewing = new ArrayDeque<>();
    private final Deque<SharedBlock> withReturned = new ArrayDeque<>();
    private final int parts;
    private SharedBlock open;
    private int returnedParts;

    SharedBlocks(int parts) {
        this.parts = parts;
    }

    /** Whether there is a part to be had without a free block. */
    boolean hasRoom() {
        return returnedParts > 0 || (open != null && open.ready() > 0);
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
            open = next(freeBlock, newEpoch);
        }
        return open;
    }

    private SharedBlock next(IntSupplier freeBlock, IntConsumer newEpoch) {
        SharedBlock next = first(worthRenewing, this::isWorthRenewing);
        if (next == null) {
            int number = freeBlock.getAsInt();
            if (number >= 0) {
                SharedBlock fresh = new SharedBlock(number, parts);
                blocks.put(number, fresh);
                return fresh;
            }
            next = first(withReturned, block -> block.returned() > 0);
        }
        newEpoch.accept(next.number());
        returnedParts -= next.returned();
        next.renew();
        return next;
    }

    private SharedBlock first(Deque<SharedBlock> noted, Predicate<SharedBlock> condition) {
        SharedBlock next = noted.poll();
        while (next != null && (blocks.get(next.number()) != next || !condition.test(next))) {
            next = noted.poll(); // it has become free, or has been renewed, since it was noted
        }
        return next;
    }

    private boolean isWorthRenewing(SharedBlock block) {
        return block.returned() * WORTH_RENEWING >= parts;
    }

    /** Parts that can be given out in a new epoch of their block. */
    int returnedParts() {
        return returnedParts;
    }

    /** Takes a part back; answers whether its block is unused now, and none of these any more. */
    boolean give(int number, int part) {
        SharedBlock block = blocks.get(number);
        boolean wasWorthRenewing = isWorthRenewing(block);
        block.give(part);
        returnedParts++;
        if (block.isUnused()) {
            blocks.remove(number);
            returnedParts -= block.returned();
            open = open == block ? null : open;
            return true;
        }
        if (block.returned() == 1) {
            withReturned.add(block);
        }
        if (!wasWorthRenewing && isWorthRenewing(block)) {
            worthRenewing.add(block);
        }
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
