/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.error.CrailException;

/**
 * Asks which nodes live in a container's slots.
 *
 * @param fd the container
 * @param firstSlot where to begin
 * @param count how many slots; fewer are answered where the container ends
 */
public record SlotsRequest(long fd, int firstSlot, int count) implements Request<SlotsResponse> {
    /** The most slots of one answer; further ones are left out. */
    public static final int MAX_COUNT = 2048;

    @Override
    public Operation operation() {
        return Operation.SLOTS;
    }

    @Override
    public SlotsResponse decodeResponse(ByteBuffer in) throws CrailException {
        return Wire.decode(in, SlotsResponse::decode, Operation.SLOTS);
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

    static SlotsRequest decode(ByteBuffer in) {
        long fd = in.getLong();
        int firstSlot = in.getInt();
        int count = in.getInt();
        return new SlotsRequest(fd, firstSlot, count);
    }
}
