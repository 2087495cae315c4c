/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.tree;

import java.util.Arrays;
import org.apache.crail.namenode.block.BlockStore;

/**
 * The blocks of a node after its first: some in an array that grows, those of a large file in further arrays of one
 * length, so that no step copies many. Not thread safe; readable by optimistic readers.
 */
final class BlockList {
    static final int CHUNK = 4096;

    private static final int FEW = 3;
    private static final long[][] NONE = {};

    private long[] blocks = new long[FEW];
    private long[][] more = NONE;
    private int size;

    int size() {
        return size;
    }

    long get(int index) {
        long[] chunk = chunkOf(index);
        return chunk != null && index % CHUNK < chunk.length ? chunk[index % CHUNK] : BlockStore.NO_BLOCK;
    }

    /** The array that holds a block; null if there is none, or only for an optimistic reader. */
    private long[] chunkOf(int index) {
        if (index < CHUNK) {
            return blocks;
        }
        long[][] all = more;
        int place = index / CHUNK - 1;
        return place < all.length ? all[place] : null;
    }

    void add(long block) {
        if (size < CHUNK) {
            if (size == blocks.length) {
                blocks = Arrays.copyOf(blocks, Math.min(CHUNK, size + (size >> 1) + 1));
            }
        } else if (size % CHUNK == 0) {
            ensureChunk(size / CHUNK - 1);
        }
        chunkOf(size)[size % CHUNK] = block;
        size++;
    }

    private void ensureChunk(int place) {
        ensureRoom(place);
        if (more[place] == null) {
            more[place] = new long[CHUNK];
        }
    }

    void set(int index, long block) {
        chunkOf(index)[index % CHUNK] = block;
    }

    long removeLast() {
        size--;
        long block = chunkOf(size)[size % CHUNK];
        if (size >= CHUNK && size % CHUNK == 0) {
            more[size / CHUNK - 1] = null;
        }
        return block;
    }

    /** Takes all from an index on away, and answers them, in any order; copies no more than one array's. */
    BlockList split(int from) {
        BlockList rest = new BlockList();
        int firstWhole = Math.min(size, (from + CHUNK - 1) / CHUNK * CHUNK);
        int copied = firstWhole - from;
        if (firstWhole < size) {
            int chunks = (size - firstWhole + CHUNK - 1) / CHUNK;
            int place = firstWhole / CHUNK - 1;
            rest.adopt(this, place, chunks, size - firstWhole);
        }
        for (int i = 0; i < copied; i++) {
            rest.add(get(from + i));
        }
        size = from;
        return rest;
    }

    /** Takes arrays over from another one; a place of -1 is that of its first array. */
    private void adopt(BlockList other, int place, int chunks, int count) {
        for (int i = 0; i < chunks; i++) {
            long[] chunk = place + i < 0 ? other.blocks : other.more[place + i];
            if (i == 0) {
                blocks = chunk;
            } else {
                ensureRoom(i - 1);
                more[i - 1] = chunk;
            }
            if (place + i < 0) {
                other.blocks = new long[FEW];
            } else {
                other.more[place + i] = null;
            }
        }
        size = count;
    }

    private void ensureRoom(int place) {
        if (place >= more.length) {
            more = Arrays.copyOf(more, Math.max(1, place * 2));
        }
    }
}
