/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.error.CrailException;

/**
 * Sets a file's capacity and time of modification and renews, or gives back, its write token. A capacity below the present one
 * does not change it; a capacity of 0 only renews the token.
 *
 * @param fd which
 * @param token the write token
 * @param capacity bytes that have been written
 * @param close whether to give the token back and return the blocks beyond the capacity
 * @param untouched whether the token is that of the create, and its holder has begun no write: then nobody has, and nobody will, so that blocks
 *     that are returned can be given out again at once
 */
public record SyncRequest(long fd, long token, long capacity, boolean close, boolean untouched)
        implements Request<SyncResponse> {

    /** As the other one; something may have been written. */
    public SyncRequest(long fd, long token, long capacity, boolean close) {
        this(fd, token, capacity, close, false);
    }

    @Override
    public Operation operation() {
        return Operation.SYNC;
    }

    @Override
    public SyncResponse decodeResponse(ByteBuffer in) throws CrailException {
        return Wire.decode(in, SyncResponse::decode, Operation.SYNC);
    }

    @Override
    public int encodedLength() {
        return 8 + 8 + 8 + 1 + 1;
    }

    @Override
    public void encode(ByteBuffer out) {
        out.putLong(fd);
        out.putLong(token);
        out.putLong(capacity);
        Wire.putFlag(out, close);
        Wire.putFlag(out, untouched);
    }

    static SyncRequest decode(ByteBuffer in) {
        long fd = in.getLong();
        long token = in.getLong();
        long capacity = in.getLong();
        boolean close = Wire.getFlag(in);
        boolean untouched = Wire.getFlag(in);
        return new SyncRequest(fd, token, capacity, close, untouched);
    }
}
