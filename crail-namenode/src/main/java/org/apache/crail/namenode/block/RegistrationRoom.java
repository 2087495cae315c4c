/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

/**
 * How much one datanode may add to what is registered. Immutable.
 *
 * @param limits what is allowed in all
 * @param regions that may be added
 * @param blocks that may be added
 */
record RegistrationRoom(RegistrationLimits limits, int regions, long blocks) {
    String tooManyBlocks() {
        return "a datanode may offer at most " + limits.blocksEach() + " blocks, all together " + limits.blocks()
                + ", and for this one " + blocks + " are left; raise crail.blocksize, the namenode's -Xmx, or"
                + " crail.namenode.blocks and crail.namenode.datanodeblocks";
    }

    String tooManyRegions() {
        return "a datanode may offer at most " + limits.regionsEach() + " regions, all together " + limits.regions()
                + ", and for this one " + regions + " are left; offer larger ones, or raise"
                + " crail.namenode.regions and crail.namenode.datanoderegions";
    }
}
