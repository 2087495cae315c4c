/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.metadata.DataNodeInfo;

/**
 * A datanode by the books of the namenode.
 *
 * @param datanode which
 * @param live whether its heartbeats arrive
 * @param stopped whether it has said that it stops, and has not been heard since
 * @param heartbeatAgeMs time since the last one
 * @param blocks registered
 * @param freeBlocks of those, free
 * @param pendingBlocks of those, waiting for reclamation
 */
public record DatanodeReport(
        DataNodeInfo datanode,
        boolean live,
        boolean stopped,
        long heartbeatAgeMs,
        long blocks,
        long freeBlocks,
        long pendingBlocks)
        implements Encodable {

    @Override
    public int encodedLength() {
        return Wire.datanodeLength(datanode) + 1 + 1 + 8 + 8 + 8 + 8;
    }

    @Override
    public void encode(ByteBuffer out) {
        Wire.putDatanode(out, datanode);
        Wire.putFlag(out, live);
        Wire.putFlag(out, stopped);
        out.putLong(heartbeatAgeMs);
        out.putLong(blocks);
        out.putLong(freeBlocks);
        out.putLong(pendingBlocks);
    }

    static DatanodeReport decode(ByteBuffer in) {
        DataNodeInfo datanode = Wire.getDatanode(in);
        boolean live = Wire.getFlag(in);
        boolean stopped = Wire.getFlag(in);
        long heartbeatAgeMs = in.getLong();
        long blocks = in.getLong();
        long freeBlocks = in.getLong();
        long pendingBlocks = in.getLong();
        return new DatanodeReport(datanode, live, stopped, heartbeatAgeMs, blocks, freeBlocks, pendingBlocks);
    }
}
