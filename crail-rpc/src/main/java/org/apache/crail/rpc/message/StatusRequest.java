/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;

/**
 * Finds a node and tells all that is known of it.
 *
 * @param path which
 */
public record StatusRequest(CrailPath path) implements Request<StatusResponse> {

    @Override
    public Operation operation() {
        return Operation.STATUS;
    }

    @Override
    public StatusResponse decodeResponse(ByteBuffer in) throws CrailException {
        return Wire.decode(in, StatusResponse::decode, Operation.STATUS);
    }

    @Override
    public int encodedLength() {
        return Wire.pathLength(path);
    }

    @Override
    public void encode(ByteBuffer out) {
        Wire.putPath(out, path);
    }

    static StatusRequest decode(ByteBuffer in) throws CrailException {
        return new StatusRequest(Wire.getPath(in));
    }
}
