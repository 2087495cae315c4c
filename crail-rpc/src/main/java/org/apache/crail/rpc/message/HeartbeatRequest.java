/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.DataNodeInfo;

/**
 * Tells that a datanode lives.
 *
 * @param datanode which
 * @param incarnation as it was registered
 */
public record HeartbeatRequest(DataNodeInfo datanode, long incarnation) implements Request<HeartbeatResponse> {

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
        return Wire.datanodeLength(datanode) + 8;
    }

    @Override
    public void encode(ByteBuffer out) {
        Wire.putDatanode(out, datanode);
        out.putLong(incarnation);
    }

    static HeartbeatRequest decode(ByteBuffer in) {
        DataNodeInfo datanode = Wire.getDatanode(in);
        long incarnation = in.getLong();
        return new HeartbeatRequest(datanode, incarnation);
    }
}
