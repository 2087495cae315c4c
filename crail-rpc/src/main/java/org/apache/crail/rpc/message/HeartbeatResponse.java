/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;

/**
 * The datanode is known.
 *
 * @param freeBlocks how many of its blocks are free
 */
public record HeartbeatResponse(long freeBlocks) implements Response {

    @Override
    public int encodedLength() {
        return 8;
    }

    @Override
    public void encode(ByteBuffer out) {
        out.putLong(freeBlocks);
    }

    static HeartbeatResponse decode(ByteBuffer in) {
        long freeBlocks = in.getLong();
        return new HeartbeatResponse(freeBlocks);
    }
}
