/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.error.CrailException;

/**
 * Translates positions of a node to blocks. With the write token, blocks that do not exist yet are allocated.
 *
 * @param fd which
 * @param token the write token, 0 to read, or {@link #REPAIR}
 * @param position any byte of the first block
 * @param count how many consecutive blocks; fewer are answered where the node ends
 */
public record MapRequest(long fd, long token, long position, int count) implements Request<MapResponse> {
    /** The most blocks of one answer, also to {@link LocateRequest}: with host names of 255 bytes they still
     * fit a message; with long locators there are fewer. */
    public static final int MAX_COUNT = 192;

    /**
     * In place of a token, for containers: record blocks whose datanode came back without its data are replaced by new
     * ones, and the caller writes the records anew. No write token has this value.
     */
    public static final long REPAIR = -1;

    @Override
    public Operation operation() {
        return Operation.MAP;
    }

    @Override
    public MapResponse decodeResponse(ByteBuffer in) throws CrailException {
        return Wire.decode(in, MapResponse::decode, Operation.MAP);
    }

    @Override
    public int encodedLength() {
        return 8 + 8 + 8 + 4;
    }

    @Override
    public void encode(ByteBuffer out) {
        out.putLong(fd);
        out.putLong(token);
        out.putLong(position);
        out.putInt(count);
    }

    static MapRequest decode(ByteBuffer in) {
        long fd = in.getLong();
        long token = in.getLong();
        long position = in.getLong();
        int count = in.getInt();
        return new MapRequest(fd, token, position, count);
    }
}
