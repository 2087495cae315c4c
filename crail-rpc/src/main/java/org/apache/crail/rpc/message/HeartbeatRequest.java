/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.DataNodeInfo;

/**
 * Tells that a datanode lives, or that it is about to stop.
 *
 * @param datanode which
 * @param incarnation as it was registered
 * @param last whether the datanode stops: its blocks are not given out any more, until it is heard again
 */
public record HeartbeatRequest(DataNodeInfo datanode, long incarnation, boolean last)
        implements Request<HeartbeatResponse> {

    /** The datanode lives. */
    public HeartbeatRequest(DataNodeInfo datanode, long incarnation) {
        this(datanode, incarnation, false);
    }

    @Override
    public Operation operation() {
        return Operation.HEARTBEAT;
    }

    @Override
    public HeartbeatResponse decodeResponse(ByteBuffer in) throws CrailException {
        return Wire.decode(in, HeartbeatResponse::decode, Operation.HEARTBEAT);
    }

    @Override
    public int encodedLength() {
        return Wire.datanodeLength(datanode) + 8 + 1;
    }

    @Override
    public void encode(ByteBuffer out) {
        Wire.putDatanode(out, datanode);
        out.putLong(incarnation);
        Wire.putFlag(out, last);
    }

    static HeartbeatRequest decode(ByteBuffer in) {
        DataNodeInfo datanode = Wire.getDatanode(in);
        long incarnation = in.getLong();
        boolean last = Wire.getFlag(in);
        return new HeartbeatRequest(datanode, incarnation, last);
    }
}
