/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.error.CrailException;

/**
 * Gives up a datanode that is silent or stopped; what it holds is lost.
 *
 * @param datanode its address, with its locator if it has one, as in a report
 */
public record ForgetRequest(String datanode) implements Request<ForgetResponse> {

    @Override
    public Operation operation() {
        return Operation.FORGET;
    }

    @Override
    public ForgetResponse decodeResponse(ByteBuffer in) throws CrailException {
        return Wire.decode(in, ForgetResponse::decode, Operation.FORGET);
    }

    @Override
    public int encodedLength() {
        return Wire.textLength(datanode);
    }

    @Override
    public void encode(ByteBuffer out) {
        Wire.putText(out, datanode);
    }

    static ForgetRequest decode(ByteBuffer in) {
        return new ForgetRequest(Wire.getText(in));
    }
}
