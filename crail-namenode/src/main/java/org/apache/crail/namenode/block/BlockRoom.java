/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

/**
 * How much datanodes have, and how much of it can be given out, now or soon. All is counted in parts: small nodes may
 * have taken parts of all blocks, so that none is free though there is room. Immutable.
 *
 * @param partsPerBlock how many small nodes share a block, 1 if none do
 * @param parts all that there are
 * @param freeParts those that can be given out, at least to small nodes
 * @param waitingParts those that wait for reclamation
 */
public record BlockRoom(int partsPerBlock, long parts, long freeParts, long waitingParts) {
    BlockRoom plus(DatanodeLife datanode) {
        return new BlockRoom(
                partsPerBlock,
                parts + inParts(datanode.blocks()),
                freeParts + inParts(datanode.freeBlocks()) + datanode.shared().room(),
                waitingParts + inParts(datanode.pendingBlocks()) + datanode.pendingParts());
    }

    private long inParts(long blocks) {
        return blocks * partsPerBlock;
    }
}
