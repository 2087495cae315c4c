/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;

/**
 * The regions are known, if the datanode admits all epochs up to the limit; else nothing has changed.
 *
 * @param blocks how many blocks the datanode has registered in all
 * @param epochLimit the highest epoch that this namenode gives to blocks of this datanode
 */
public record RegisterResponse(long blocks, long epochLimit) implements Response {

    @Override
    public int encodedLength() {
        return 8 + 8;
    }

    @Override
    public void encode(ByteBuffer out) {
        out.putLong(blocks);
        out.putLong(epochLimit);
    }

    static RegisterResponse decode(ByteBuffer in) {
        long blocks = in.getLong();
        long epochLimit = in.getLong();
        return new RegisterResponse(blocks, epochLimit);
    }
}
