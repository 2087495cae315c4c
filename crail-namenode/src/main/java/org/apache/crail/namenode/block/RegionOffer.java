/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import java.util.List;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.Region;

/**
 * What a datanode says of itself and of the regions that it offers. Immutable.
 *
 * @param datanode which
 * @param incarnation the life of the datanode; a higher one began later
 * @param medium names what the regions lie on if other datanodes could offer parts of it, too; empty if it is the
 *     datanode's own
 * @param epochAfter blocks that it adds are to get epochs above this one
 * @param epochLimit the highest epoch that it admits
 * @param inUse whether clients may still transfer to these regions as they were told by another life of the namenode
 * @param regions what it offers; without any it only asks for the epochs of its blocks
 */
public record RegionOffer(
        DataNodeInfo datanode,
        long incarnation,
        String medium,
        long epochAfter,
        long epochLimit,
        boolean inUse,
        List<Region> regions) {}
