/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;

/**
 * A sign of life.
 *
 * @param number the number sent plus one
 */
public record PingResponse(int number) implements Response {

    @Override
    public int encodedLength() {
        return 4;
    }

    @Override
    public void encode(ByteBuffer out) {
        out.putInt(number);
    }

    static PingResponse decode(ByteBuffer in) {
        int number = in.getInt();
        return new PingResponse(number);
    }
}
