/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.error.CrailException;

/**
 * Asks for the children that live in a container's slots, in the order of slots. Answered with as many as fit a
 * message; who wants more asks again behind the last.
 *
 * @param fd the container
 * @param firstSlot where to begin
 * @param count how many slots
 */
public record OccupantsRequest(long fd, int firstSlot, int count) implements Request<ChildrenResponse> {

    @Override
    public Operation operation() {
        return Operation.OCCUPANTS;
    }

    @Override
    public ChildrenResponse decodeResponse(ByteBuffer in) throws CrailException {
        return Wire.decode(in, ChildrenResponse::decode, Operation.OCCUPANTS);
    }

    @Override
    public int encodedLength() {
        return 8 + 4 + 4;
    }

    @Override
    public void encode(ByteBuffer out) {
        out.putLong(fd);
        out.putInt(firstSlot);
        out.putInt(count);
    }

    static OccupantsRequest decode(ByteBuffer in) {
        long fd = in.getLong();
        int firstSlot = in.getInt();
        int count = in.getInt();
        return new OccupantsRequest(fd, firstSlot, count);
    }
}
