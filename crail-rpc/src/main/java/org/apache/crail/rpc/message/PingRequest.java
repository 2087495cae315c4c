/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.error.CrailException;

/**
 * Asks for a sign of life.
 *
 * @param number any
 */
public record PingRequest(int number) implements Request<PingResponse> {

    @Override
    public Operation operation() {
        return Operation.PING;
    }

    @Override
    public PingResponse decodeResponse(ByteBuffer in) throws CrailException {
        return Wire.decode(in, PingResponse::decode, Operation.PING);
    }

    @Override
    public int encodedLength() {
        return 4;
    }

    @Override
    public void encode(ByteBuffer out) {
        out.putInt(number);
    }

    static PingRequest decode(ByteBuffer in) {
        int number = in.getInt();
        return new PingRequest(number);
    }
}
