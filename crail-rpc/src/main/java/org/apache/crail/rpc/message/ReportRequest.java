/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.error.CrailException;

/**
 * Asks for a description of the cluster.
 */
public record ReportRequest() implements Request<ReportResponse> {

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
        return 0;
    }

    @Override
    public void encode(ByteBuffer out) {}

    static ReportRequest decode(ByteBuffer in) {
        return new ReportRequest();
    }
}
