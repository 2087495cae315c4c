/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.DataNodeInfo;

/**
 * Adds regions of a datanode to the free blocks. Regions that are known already change nothing.
 *
 * @param datanode whose
 * @param incarnation changes each time the datanode starts with empty regions; a new one ends the former life
 * @param medium names what the regions lie on if other datanodes could offer parts of it, too; their addresses are then
 *     offsets in it, in bytes. Empty if it is the datanode's own
 * @param regions what it offers
 */
public record RegisterRequest(DataNodeInfo datanode, long incarnation, String medium, List<Region> regions)
        implements Request<RegisterResponse> {

    /** As above, on a medium of the datanode's own. */
    public RegisterRequest(DataNodeInfo datanode, long incarnation, List<Region> regions) {
        this(datanode, incarnation, "", regions);
    }

    @Override
    public Operation operation() {
        return Operation.REGISTER;
    }

    @Override
    public RegisterResponse decodeResponse(ByteBuffer in) throws CrailException {
        return Wire.decode(in, RegisterResponse::decode, Operation.REGISTER);
    }

    @Override
    public int encodedLength() {
        int length = Wire.datanodeLength(datanode) + 8 + Wire.textLength(medium) + 4;
        for (Region element : regions) {
            length += element.encodedLength();
        }
        return length;
    }

    @Override
    public void encode(ByteBuffer out) {
        Wire.putDatanode(out, datanode);
        out.putLong(incarnation);
        Wire.putText(out, medium);
        out.putInt(regions.size());
        for (Region element : regions) {
            element.encode(out);
        }
    }

    static RegisterRequest decode(ByteBuffer in) throws CrailException {
        DataNodeInfo datanode = Wire.getDatanode(in);
        long incarnation = in.getLong();
        String medium = Wire.getText(in);
        List<Region> regions = Wire.getList(in, Region::decode);
        return new RegisterRequest(datanode, incarnation, medium, regions);
    }
}
