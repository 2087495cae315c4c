/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;

/**
 * Translates positions of a path to blocks.
 *
 * @param path which
 * @param position any byte of the first block
 * @param count how many consecutive blocks; fewer are answered where the node ends
 */
public record LocateRequest(CrailPath path, long position, int count) implements Request<MapResponse> {

    @Override
    public Operation operation() {
        return Operation.LOCATE;
    }

    @Override
    public MapResponse decodeResponse(ByteBuffer in) throws CrailException {
        return Wire.decode(in, MapResponse::decode, Operation.LOCATE);
    }

    @Override
    public int encodedLength() {
        return Wire.pathLength(path) + 8 + 4;
    }

    @Override
    public void encode(ByteBuffer out) {
        Wire.putPath(out, path);
        out.putLong(position);
        out.putInt(count);
    }

    static LocateRequest decode(ByteBuffer in) throws CrailException {
        CrailPath path = Wire.getPath(in);
        long position = in.getLong();
        int count = in.getInt();
        return new LocateRequest(path, position, count);
    }
}
