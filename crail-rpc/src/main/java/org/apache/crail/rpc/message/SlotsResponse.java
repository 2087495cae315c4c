/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;

/**
 * The nodes that live in consecutive slots.
 *
 * @param fds an id per slot, 0 where the slot is free
 */
@SuppressWarnings("ArrayRecordComponent") // up to 2,048 ids a message: boxing them would cost more than the message
public record SlotsResponse(long[] fds) implements Response {

    @Override
    public int encodedLength() {
        return 4 + 8 * fds.length;
    }

    @Override
    public void encode(ByteBuffer out) {
        out.putInt(fds.length);
        for (long element : fds) {
            out.putLong(element);
        }
    }

    static SlotsResponse decode(ByteBuffer in) {
        long[] fds = Wire.getLongs(in);
        return new SlotsResponse(fds);
    }
}
