/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.Region;

/**
 * Adds regions of a datanode to the free blocks. Regions that are known already change nothing. Without regions, or if
 * the datanode does not admit all epochs that its blocks may get, it only asks for these.
 *
 * @param datanode whose
 * @param incarnation grows each time the datanode starts with empty regions; a higher one ends a former life that is
 *     not heard any more, a lower one is refused
 * @param medium names what the regions lie on if other datanodes could offer parts of it, too; their addresses are then
 *     offsets in it, in bytes. Empty if it is the datanode's own
 * @param epochAfter blocks that it adds are to get epochs above this one: it may have seen those below
 * @param epochLimit the highest epoch that it admits
 * @param inUse whether clients may still transfer to these regions as they were told by another life of the namenode
 * @param regions what it offers
 */
public record RegisterRequest(
        DataNodeInfo datanode,
        long incarnation,
        String medium,
        long epochAfter,
        long epochLimit,
        boolean inUse,
        List<Region> regions)
        implements Request<RegisterResponse> {

    /** For a datanode that admits any epoch, and regions of which no client knows. */
    public RegisterRequest(DataNodeInfo datanode, long incarnation, String medium, List<Region> regions) {
        this(datanode, incarnation, medium, 0, Long.MAX_VALUE, false, regions);
    }

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
        int length = Wire.datanodeLength(datanode) + 8 + Wire.textLength(medium) + 8 + 8 + 1 + 4;
        return length + regions.size() * Wire.REGION_LENGTH;
    }

    @Override
    public void encode(ByteBuffer out) {
        Wire.putDatanode(out, datanode);
        out.putLong(incarnation);
        Wire.putText(out, medium);
        out.putLong(epochAfter);
        out.putLong(epochLimit);
        Wire.putFlag(out, inUse);
        out.putInt(regions.size());
        for (Region element : regions) {
            Wire.putRegion(out, element);
        }
    }

    static RegisterRequest decode(ByteBuffer in) throws CrailException {
        DataNodeInfo datanode = Wire.getDatanode(in);
        long incarnation = in.getLong();
        String medium = Wire.getText(in);
        long epochAfter = in.getLong();
        long epochLimit = in.getLong();
        boolean inUse = Wire.getFlag(in);
        List<Region> regions = Wire.getList(in, Wire::getRegion);
        return new RegisterRequest(datanode, incarnation, medium, epochAfter, epochLimit, inUse, regions);
    }
}
