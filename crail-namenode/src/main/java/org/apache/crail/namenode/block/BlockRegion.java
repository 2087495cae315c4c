/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

/**
 * A region of a datanode: consecutive blocks, and how often each has been given out, which is the lower part of its
 * epoch. Counts are kept in chunks that are made when they are needed, so that a large region is made as quickly as a
 * small one. Not thread safe; guarded by the namespace's lock.
 */
final class BlockRegion {
    private static final int CHUNK = 4096;

    private final long lba;
    private final long address;
    private final int key;
    private final int firstNumber;
    private final int blocks;
    private final int[][] allocations;

    private BlockRegion(long lba, long address, int key, int firstNumber, int blocks, int[][] allocations) {
        this.lba = lba;
        this.address = address;
        this.key = key;
        this.firstNumber = firstNumber;
        this.blocks = blocks;
        this.allocations = allocations;
    }

    /** Makes a region whose blocks are numbered from {@code firstNumber}. */
    static BlockRegion create(long lba, long address, int key, int firstNumber, int blocks) {
        return new BlockRegion(lba, address, key, firstNumber, blocks, new int[(blocks + CHUNK - 1) / CHUNK][]);
    }

    /** The same blocks, reached in another way: the datanode has restarted and kept its data. */
    BlockRegion relocated(long newAddress, int newKey) {
        return new BlockRegion(lba, newAddress, newKey, firstNumber, blocks, allocations);
    }

    /** Finds the region that holds a block, or null; {@code regions} are in the order of their numbers. */
    static BlockRegion find(BlockRegion[] regions, int number) {
        int low = 0;
        int high = regions.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            BlockRegion region = regions[middle];
            if (region == null) {
                return null; // seen by an optimistic reader, which will find its stamp void
            }
            if (number < region.firstNumber) {
                high = middle - 1;
            } else if (number - region.firstNumber >= region.blocks) {
                low = middle + 1;
            } else {
                return region;
            }
        }
        return null;
    }

    long lba() {
        return lba;
    }

    long address() {
        return address;
    }

    int key() {
        return key;
    }

    int blocks() {
        return blocks;
    }

    long lengthBytes(int blockSizeBytes) {
        return (long) blocks * blockSizeBytes;
    }

    long lbaOf(int number, int blockSizeBytes) {
        return lba + (long) (number - firstNumber) * blockSizeBytes;
    }

    long addressOf(int number, int blockSizeBytes) {
        return address + (long) (number - firstNumber) * blockSizeBytes;
    }

    int allocationsOf(int number) {
        int[] chunk = allocations[(number - firstNumber) / CHUNK];
        return chunk == null ? 0 : chunk[(number - firstNumber) % CHUNK];
    }

    /** Counts, as far as numbers go: behind that, what is left is that locations end with their leases. */
    void countAllocation(int number) {
        int index = (number - firstNumber) / CHUNK;
        if (allocations[index] == null) {
            allocations[index] = new int[CHUNK];
        }
        int before = allocations[index][(number - firstNumber) % CHUNK];
        allocations[index][(number - firstNumber) % CHUNK] = before == Integer.MAX_VALUE ? before : before + 1;
    }
}
