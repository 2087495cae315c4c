/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.tree;

import java.util.Arrays;

/**
 * Which enumerable child lives in which slot of a container. The lowest free slot is taken first, so that the records
 * stay dense and the container shrinks with its children. Grows in chunks, so that no operation copies the whole. Not
 * thread safe; {@link #end} and {@link #used} also serve optimistic readers.
 */
public final class SlotTable {
    private static final int CHUNK = 1024;
    private static final int FIRST_LENGTH = 4;
    private static final Node[] NO_SLOTS = {};

    private Node[][] chunks = {};
    private int[] usedInChunk = {};
    private int firstOpenChunk;
    private int end;
    private int used;

    SlotTable() {}

    /** One more than the highest slot in use. */
    public int end() {
        return end;
    }

    /** How many slots are in use. */
    public int used() {
        return used;
    }

    /** The node in a slot, or null. */
    public Node get(int slot) {
        int chunk = slot / CHUNK;
        int offset = slot % CHUNK;
        return chunk < chunks.length && offset < chunks[chunk].length ? chunks[chunk][offset] : null;
    }

    /** The lowest slot in use that is not below {@code from} and is below {@code end}; {@code end} if there is none. */
    public int firstUsed(int from, int end) {
        int slot = from;
        while (slot < end && get(slot) == null) {
            boolean isChunkUnused = slot % CHUNK == 0 && slot / CHUNK < chunks.length && usedInChunk[slot / CHUNK] == 0;
            slot += isChunkUnused ? CHUNK : 1;
        }
        return Math.min(slot, end);
    }

    /** The lowest free slot that is not below {@code from}. */
    public int firstFree(int from) {
        for (int chunk = Math.max(firstOpenChunk, from / CHUNK); chunk < chunks.length; chunk++) {
            if (usedInChunk[chunk] < CHUNK) {
                int slot = firstFreeInChunk(chunk, Math.max(0, from - chunk * CHUNK));
                if (slot >= 0) {
                    return slot;
                }
            }
        }
        return Math.max(from, chunks.length * CHUNK);
    }

    private int firstFreeInChunk(int chunk, int from) {
        Node[] slots = chunks[chunk];
        for (int i = from; i < CHUNK; i++) {
            if (i >= slots.length || slots[i] == null) {
                return chunk * CHUNK + i;
            }
        }
        return -1;
    }

    /** Puts a node into a slot, in place of the one that was there if any. */
    public void put(int slot, Node node) {
        int chunk = slot / CHUNK;
        int offset = slot % CHUNK;
        ensureRoom(chunk, offset);
        if (chunks[chunk][offset] == null) {
            used++;
            usedInChunk[chunk]++;
        }
        chunks[chunk][offset] = node;
        end = Math.max(end, slot + 1);
        while (firstOpenChunk < chunks.length && usedInChunk[firstOpenChunk] == CHUNK) {
            firstOpenChunk++;
        }
    }

    /** Frees a slot that is in use. */
    public void clear(int slot) {
        int chunk = slot / CHUNK;
        chunks[chunk][slot % CHUNK] = null;
        used--;
        usedInChunk[chunk]--;
        firstOpenChunk = Math.min(firstOpenChunk, chunk);
        if (slot == end - 1) {
            shrink();
        }
    }

    private void ensureRoom(int chunk, int offset) {
        if (chunk >= chunks.length) {
            int before = chunks.length;
            chunks = Arrays.copyOf(chunks, chunk + 1);
            usedInChunk = Arrays.copyOf(usedInChunk, chunk + 1);
            Arrays.fill(chunks, before, chunk + 1, NO_SLOTS);
        }
        if (offset >= chunks[chunk].length) {
            int length = chunk > 0 ? CHUNK : Math.max(FIRST_LENGTH, Integer.highestOneBit(offset) * 2);
            chunks[chunk] = Arrays.copyOf(chunks[chunk], length);
        }
    }

    private void shrink() {
        int chunk = (end - 1) / CHUNK;
        while (chunk >= 0 && usedInChunk[chunk] == 0) {
            chunk--;
        }
        end = chunk < 0 ? 0 : chunk * CHUNK + usedLength(chunks[chunk]);
        if (chunk + 1 < chunks.length) {
            chunks = Arrays.copyOf(chunks, chunk + 1);
            usedInChunk = Arrays.copyOf(usedInChunk, chunk + 1);
            firstOpenChunk = Math.min(firstOpenChunk, chunk + 1);
        }
    }

    private static int usedLength(Node[] slots) {
        int length = slots.length;
        while (length > 0 && slots[length - 1] == null) {
            length--;
        }
        return length;
    }
}
