/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;

/**
 * The nodes that live in consecutive slots.
 *
 * @param keys a {@link RecordKey} per slot, {@link RecordKey#FREE} where no node lives
 */
@SuppressWarnings("ArrayRecordComponent") // up to 2,048 keys a message: boxing them would cost more than the message
public record SlotsResponse(long[] keys) implements Response {

    @Override
    public int encodedLength() {
        return 4 + 8 * keys.length;
    }

    @Override
    public void encode(ByteBuffer out) {
        out.putInt(keys.length);
        for (long element : keys) {
            out.putLong(element);
        }
    }

    static SlotsResponse decode(ByteBuffer in) {
        long[] keys = Wire.getLongs(in);
        return new SlotsResponse(keys);
    }
}
