/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;

/**
 * Lists a container's children by the namenode's own books, enumerable or not.
 *
 * @param path the container
 * @param after only children behind this name, in the order of listings; empty to begin
 * @param limit how many at most
 */
public record ChildrenRequest(CrailPath path, String after, int limit) implements Request<ChildrenResponse> {
    /** The most children of one answer; with long names there are fewer. */
    public static final int MAX_COUNT = 1024;

    @Override
    public Operation operation() {
        return Operation.CHILDREN;
    }

    @Override
    public ChildrenResponse decodeResponse(ByteBuffer in) throws CrailException {
        return Wire.decode(in, ChildrenResponse::decode, Operation.CHILDREN);
    }

    @Override
    public int encodedLength() {
        return Wire.pathLength(path) + Wire.textLength(after) + 4;
    }

    @Override
    public void encode(ByteBuffer out) {
        Wire.putPath(out, path);
        Wire.putText(out, after);
        out.putInt(limit);
    }

    static ChildrenRequest decode(ByteBuffer in) throws CrailException {
        CrailPath path = Wire.getPath(in);
        String after = Wire.getText(in);
        int limit = in.getInt();
        return new ChildrenRequest(path, after, limit);
    }
}
