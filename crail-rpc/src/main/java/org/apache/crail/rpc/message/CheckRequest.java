/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.error.CrailException;

/**
 * Asks to count all blocks, in the tree and in the free lists, and to compare with the books.
 */
public record CheckRequest() implements Request<CheckResponse> {

    @Override
    public Operation operation() {
        return Operation.CHECK;
    }

    @Override
    public CheckResponse decodeResponse(ByteBuffer in) throws CrailException {
        return Wire.decode(in, CheckResponse::decode, Operation.CHECK);
    }

    @Override
    public int encodedLength() {
        return 0;
    }

    @Override
    public void encode(ByteBuffer out) {}

    static CheckRequest decode(ByteBuffer in) {
        return new CheckRequest();
    }
}
