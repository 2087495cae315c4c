/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.BlockInfo;

/**
 * Translates positions of a node to blocks. With the write token, blocks that do not exist yet are allocated.
 *
 * @param fd which
 * @param token the write token, or 0 to read
 * @param position any byte of the first block
 * @param count how many consecutive blocks; fewer are answered where the node ends
 * @param unreachable a location of the first block at which the writer could not write, and has written nothing; if the
 *     block is still there and holds no synced bytes, another one takes its place. Null to keep what is there.
 */
public record MapRequest(long fd, long token, long position, int count, BlockInfo unreachable)
        implements Request<MapResponse> {
    /** The most blocks of one answer, also to {@link LocateRequest}: with host names of 255 bytes they still
     * fit a message; with long locators there are fewer. */
    public static final int MAX_COUNT = 192;

    /** Keeps what is there. */
    public MapRequest(long fd, long token, long position, int count) {
        this(fd, token, position, count, null);
    }

    @Override
    public Operation operation() {
        return Operation.MAP;
    }

    /** A late copy must not replace a block that was kept, and has been written to since. */
    @Override
    public boolean remembered() {
        return unreachable != null;
    }

    @Override
    public MapResponse decodeResponse(ByteBuffer in) throws CrailException {
        return Wire.decode(in, MapResponse::decode, Operation.MAP);
    }

    @Override
    public int encodedLength() {
        return 8 + 8 + 8 + 4 + Wire.blockLength(unreachable);
    }

    @Override
    public void encode(ByteBuffer out) {
        out.putLong(fd);
        out.putLong(token);
        out.putLong(position);
        out.putInt(count);
        Wire.putBlock(out, unreachable);
    }

    static MapRequest decode(ByteBuffer in) {
        long fd = in.getLong();
        long token = in.getLong();
        long position = in.getLong();
        int count = in.getInt();
        return new MapRequest(fd, token, position, count, Wire.getBlock(in));
    }
}
