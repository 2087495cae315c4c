/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import org.apache.crail.metadata.DataNodeInfo;

/**
 * A datanode by the books, at one moment. Immutable.
 *
 * @param datanode which
 * @param isLive whether its blocks can be reached, by all that is known
 * @param isStopped whether it has said that it stops, and has not been heard since
 * @param heartbeatAgeMs time since its last heartbeat
 * @param blocks registered
 * @param freeBlocks of those, free
 * @param pendingBlocks of those, waiting for reclamation
 */
public record DatanodeState(
        DataNodeInfo datanode,
        boolean isLive,
        boolean isStopped,
        long heartbeatAgeMs,
        int blocks,
        int freeBlocks,
        int pendingBlocks) {}
