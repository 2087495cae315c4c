/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.util.Arrays;
import org.apache.crail.namenode.block.BlockStore;

/** The blocks of a node after its first. Not thread safe; readable by optimistic readers. */
final class FurtherBlocks {
    private long[] blocks = new long[3];
    private int size;

    int size() {
        return size;
    }

    long get(int index) {
        long[] all = blocks;
        return all != null && index < all.length ? all[index] : BlockStore.NO_BLOCK;
    }

    void add(long block) {
        if (size == blocks.length) {
            blocks = Arrays.copyOf(blocks, size + (size >> 1) + 1);
        }
        blocks[size++] = block;
    }

    void set(int index, long block) {
        blocks[index] = block;
    }

    long removeLast() {
        return blocks[--size];
    }
}
