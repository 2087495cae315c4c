/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

/**
 * A region of a datanode: consecutive blocks, and how often each has been given out, which is the lower part of its epoch.
 * Not thread safe; guarded by the namespace's lock.
 */
final class BlockRegion {
    private final long lba;
    private final long address;
    private final int key;
    private final int firstNumber;
    private final int[] allocations;

    private BlockRegion(long lba, long address, int key, int firstNumber, int[] allocations) {
        this.lba = lba;
        this.address = address;
        this.key = key;
        this.firstNumber = firstNumber;
        this.allocations = allocations;
    }

    /** Makes a region whose blocks are numbered from {@code firstNumber}. */
    static BlockRegion create(long lba, long address, int key, int firstNumber, int blocks) {
        return new BlockRegion(lba, address, key, firstNumber, new int[blocks]);
    }

    /** The same blocks, reached in another way: the datanode has restarted and kept its data. */
    BlockRegion relocated(long newAddress, int newKey) {
        return new BlockRegion(lba, newAddress, newKey, firstNumber, allocations);
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
            } else if (number - region.firstNumber >= region.allocations.length) {
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
        return allocations.length;
    }

    long lengthBytes(int blockSizeBytes) {
        return (long) allocations.length * blockSizeBytes;
    }

    long lbaOf(int number, int blockSizeBytes) {
        return lba + (long) (number - firstNumber) * blockSizeBytes;
    }

    long addressOf(int number, int blockSizeBytes) {
        return address + (long) (number - firstNumber) * blockSizeBytes;
    }

    int allocationsOf(int number) {
        return allocations[number - firstNumber];
    }

    void countAllocation(int number) {
        allocations[number - firstNumber]++;
    }
}
