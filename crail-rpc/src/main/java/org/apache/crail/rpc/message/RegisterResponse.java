/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;

/**
 * The regions are known.
 *
 * @param blocks how many blocks the datanode has registered in all
 */
public record RegisterResponse(long blocks) implements Response {

    @Override
    public int encodedLength() {
        return 8;
    }

    @Override
    public void encode(ByteBuffer out) {
        out.putLong(blocks);
    }

    static RegisterResponse decode(ByteBuffer in) {
        long blocks = in.getLong();
        return new RegisterResponse(blocks);
    }
}
