/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.error.CrailException;

/** Ends the session of a client that closes: nothing has to be kept for it. It need not wait for the answer. */
public record GoodbyeRequest() implements Request<GoodbyeResponse> {

    @Override
    public Operation operation() {
        return Operation.GOODBYE;
    }

    @Override
    public GoodbyeResponse decodeResponse(ByteBuffer in) throws CrailException {
        return Wire.decode(in, GoodbyeResponse::decode, Operation.GOODBYE);
    }

    @Override
    public int encodedLength() {
        return 0;
    }

    @Override
    public void encode(ByteBuffer out) {
        // it says nothing but its operation
    }

    static GoodbyeRequest decode(ByteBuffer in) {
        return new GoodbyeRequest();
    }
}
