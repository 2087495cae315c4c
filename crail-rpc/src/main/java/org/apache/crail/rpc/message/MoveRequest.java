/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.MoveMode;

/**
 * Gives a node another path; its contents and children move along.
 *
 * @param source which
 * @param destination where to
 * @param mode what happens if the destination is taken
 */
public record MoveRequest(CrailPath source, CrailPath destination, MoveMode mode) implements Request<MoveResponse> {

    /** Into the destination if it is a directory. */
    public MoveRequest(CrailPath source, CrailPath destination) {
        this(source, destination, MoveMode.INTO);
    }

    @Override
    public Operation operation() {
        return Operation.MOVE;
    }

    @Override
    public boolean remembered() {
        return true;
    }

    @Override
    public MoveResponse decodeResponse(ByteBuffer in) throws CrailException {
        return Wire.decode(in, MoveResponse::decode, Operation.MOVE);
    }

    @Override
    public int encodedLength() {
        return Wire.pathLength(source) + Wire.pathLength(destination) + 1;
    }

    @Override
    public void encode(ByteBuffer out) {
        Wire.putPath(out, source);
        Wire.putPath(out, destination);
        out.put((byte) mode.number());
    }

    static MoveRequest decode(ByteBuffer in) throws CrailException {
        CrailPath source = Wire.getPath(in);
        CrailPath destination = Wire.getPath(in);
        return new MoveRequest(source, destination, MoveMode.ofNumber(in.get()));
    }
}
