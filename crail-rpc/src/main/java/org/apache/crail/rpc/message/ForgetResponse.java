/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;

/**
 * The datanode is not known any more.
 *
 * @param lostBlocks how many of its blocks were in use
 */
public record ForgetResponse(long lostBlocks) implements Response {

    @Override
    public int encodedLength() {
        return 8;
    }

    @Override
    public void encode(ByteBuffer out) {
        out.putLong(lostBlocks);
    }

    static ForgetResponse decode(ByteBuffer in) {
        return new ForgetResponse(in.getLong());
    }
}
