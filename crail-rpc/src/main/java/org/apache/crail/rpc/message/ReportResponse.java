/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.crail.error.CrailException;

/**
 * The cluster.
 *
 * @param clusterId its id
 * @param uptimeMs time since the namenode started
 * @param blockSizeBytes the size of a block
 * @param nodes nodes that the namenode holds: those in the tree, the root counted, and those that are being taken apart
 *     or have been replaced by an unfinished put
 * @param expiring nodes that go by themselves at some time
 * @param expired nodes that have gone by themselves, those below them not counted
 * @param evicted nodes that have been removed because the store was nearly full
 * @param datanodeCount how many datanodes there are in all
 * @param datanodes a page of them in the order of registration, as many as fit a message
 */
public record ReportResponse(
        String clusterId,
        long uptimeMs,
        int blockSizeBytes,
        long nodes,
        long expiring,
        long expired,
        long evicted,
        int datanodeCount,
        List<DatanodeReport> datanodes)
        implements Response {

    @Override
    public int encodedLength() {
        int length = Wire.textLength(clusterId) + 8 + 4 + 8 + 8 + 8 + 8 + 4 + 4;
        for (DatanodeReport element : datanodes) {
            length += element.encodedLength();
        }
        return length;
    }

    @Override
    public void encode(ByteBuffer out) {
        Wire.putText(out, clusterId);
        out.putLong(uptimeMs);
        out.putInt(blockSizeBytes);
        out.putLong(nodes);
        out.putLong(expiring);
        out.putLong(expired);
        out.putLong(evicted);
        out.putInt(datanodeCount);
        out.putInt(datanodes.size());
        for (DatanodeReport element : datanodes) {
            element.encode(out);
        }
    }

    static ReportResponse decode(ByteBuffer in) throws CrailException {
        String clusterId = Wire.getText(in);
        long uptimeMs = in.getLong();
        int blockSizeBytes = in.getInt();
        long nodes = in.getLong();
        long expiring = in.getLong();
        long expired = in.getLong();
        long evicted = in.getLong();
        int datanodeCount = in.getInt();
        List<DatanodeReport> datanodes = Wire.getList(in, DatanodeReport::decode);
        return new ReportResponse(
                clusterId, uptimeMs, blockSizeBytes, nodes, expiring, expired, evicted, datanodeCount, datanodes);
    }
}
