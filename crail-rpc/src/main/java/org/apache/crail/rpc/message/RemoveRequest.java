/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;

/**
 * Removes a node.
 *
 * @param path which
 * @param recursive whether a container is removed with its children
 */
public record RemoveRequest(CrailPath path, boolean recursive) implements Request<RemoveResponse> {

    @Override
    public Operation operation() {
        return Operation.REMOVE;
    }

    @Override
    public boolean remembered() {
        return true;
    }

    @Override
    public RemoveResponse decodeResponse(ByteBuffer in) throws CrailException {
        return Wire.decode(in, RemoveResponse::decode, Operation.REMOVE);
    }

    @Override
    public int encodedLength() {
        return Wire.pathLength(path) + 1;
    }

    @Override
    public void encode(ByteBuffer out) {
        Wire.putPath(out, path);
        Wire.putFlag(out, recursive);
    }

    static RemoveRequest decode(ByteBuffer in) throws CrailException {
        CrailPath path = Wire.getPath(in);
        boolean recursive = Wire.getFlag(in);
        return new RemoveRequest(path, recursive);
    }
}
