/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

/**
 * How much datanodes may make the namenode keep. Immutable.
 *
 * @param datanodes datanodes that are known at a time
 * @param regions of all datanodes together
 * @param regionsEach of one datanode
 * @param blocks of all datanodes together
 * @param blocksEach of one datanode
 */
public record RegistrationLimits(int datanodes, int regions, int regionsEach, long blocks, long blocksEach) {
    private static final int HEAP_BYTES_PER_BLOCK = 32;
    private static final long MOST_NUMBERS = 1L << 28;

    /** Limits as configured, in which 0 blocks stand for as many as suit the heap. */
    public static RegistrationLimits of(
            int datanodes, int regions, int regionsEach, long configuredBlocks, long configuredBlocksEach) {
        long blocks = configuredBlocks > 0 ? configuredBlocks : ofHeap();
        long each = configuredBlocksEach > 0 ? configuredBlocksEach : blocks;
        return new RegistrationLimits(
                Math.min(datanodes, BlockId.MOST_DATANODES),
                regions,
                regionsEach,
                blocks,
                Math.min(each, Math.min(blocks, MOST_NUMBERS)));
    }

    /** The books take 8 bytes for each block: a quarter of the heap for the blocks of all datanodes. */
    private static long ofHeap() {
        return Runtime.getRuntime().maxMemory() / HEAP_BYTES_PER_BLOCK;
    }
}
