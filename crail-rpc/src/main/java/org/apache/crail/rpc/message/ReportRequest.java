/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.error.CrailException;

/**
 * Asks for a description of the cluster.
 *
 * @param firstDatanode how many datanodes to leave out, in the order of registration: those of earlier answers
 */
public record ReportRequest(int firstDatanode) implements Request<ReportResponse> {
    /** Asks from the first datanode on. */
    public ReportRequest() {
        this(0);
    }

    @Override
    public Operation operation() {
        return Operation.REPORT;
    }

    @Override
    public ReportResponse decodeResponse(ByteBuffer in) throws CrailException {
        return Wire.decode(in, ReportResponse::decode, Operation.REPORT);
    }

    @Override
    public int encodedLength() {
        return 4;
    }

    @Override
    public void encode(ByteBuffer out) {
        out.putInt(firstDatanode);
    }

    static ReportRequest decode(ByteBuffer in) {
        return new ReportRequest(in.getInt());
    }
}
