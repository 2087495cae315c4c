/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

/**
 * How blocks are handed out and taken back. Immutable.
 *
 * @param blockSizeBytes the size of every block
 * @param smallBlockBytes the size of the parts of blocks that small nodes share, or 0 if each node has a block of its
 *     own
 * @param storageClasses the number of storage classes, preferred ones first
 * @param selection which datanode of a class gives the next block
 * @param reclamationDelayNs how long a block waits between two nodes
 * @param datanodeTimeoutNs how long after its last heartbeat a datanode counts as dead
 * @param forgetAfterNs how long after its last heartbeat a datanode is given up, with all that it holds
 * @param limits how much datanodes may make the namenode keep
 * @param startMs when this namenode started, milliseconds since 1970; a later one gives higher epochs
 */
public record BlockStoreSettings(
        int blockSizeBytes,
        int smallBlockBytes,
        int storageClasses,
        BlockSelection selection,
        long reclamationDelayNs,
        long datanodeTimeoutNs,
        long forgetAfterNs,
        RegistrationLimits limits,
        long startMs) {
    /** A datanode that was silent for so many periods of heartbeats is dead. */
    public static final int MISSED_HEARTBEATS = 8;

    /** A busy machine may look as seldom, while the namenode runs. */
    private static final long SELDOM_NS = 1_000_000_000;

    /**
     * How much of the time between two looks at the clock counts as silence: a period, or half of the time limit if
     * periods are short.
     */
    long mostSilenceBetweenLooksNs() {
        return Math.max(datanodeTimeoutNs / MISSED_HEARTBEATS, Math.min(datanodeTimeoutNs / 2, SELDOM_NS));
    }

    /** How many parts a shared block has; 0 if no blocks are shared. */
    int partsPerBlock() {
        return smallBlockBytes == 0 ? 0 : Math.min(blockSizeBytes / smallBlockBytes, BlockId.MOST_PARTS);
    }
}
