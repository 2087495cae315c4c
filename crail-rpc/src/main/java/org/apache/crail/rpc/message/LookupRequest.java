/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;

/**
 * Finds a node.
 *
 * @param path which
 * @param writable whether the caller wants the write token
 */
public record LookupRequest(CrailPath path, boolean writable) implements Request<LookupResponse> {

    @Override
    public Operation operation() {
        return Operation.LOOKUP;
    }

    /** A token can be taken once. */
    @Override
    public boolean remembered() {
        return writable;
    }

    @Override
    public LookupResponse decodeResponse(ByteBuffer in) throws CrailException {
        return Wire.decode(in, LookupResponse::decode, Operation.LOOKUP);
    }

    @Override
    public int encodedLength() {
        return Wire.pathLength(path) + 1;
    }

    @Override
    public void encode(ByteBuffer out) {
        Wire.putPath(out, path);
        Wire.putFlag(out, writable);
    }

    static LookupRequest decode(ByteBuffer in) throws CrailException {
        CrailPath path = Wire.getPath(in);
        boolean writable = Wire.getFlag(in);
        return new LookupRequest(path, writable);
    }
}
