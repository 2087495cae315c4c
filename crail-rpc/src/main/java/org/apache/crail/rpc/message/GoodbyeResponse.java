/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;

/** The session has been ended. */
public record GoodbyeResponse() implements Response {

    @Override
    public int encodedLength() {
        return 0;
    }

    @Override
    public void encode(ByteBuffer out) {
        // it says nothing
    }

    static GoodbyeResponse decode(ByteBuffer in) {
        return new GoodbyeResponse();
    }
}
