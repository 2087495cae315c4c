/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.error.CrailException;
import org.apache.crail.fuzz.Limits;

/** Requests as the namenode reads them: the number of the operation, and the rest. Stateless. */
public final class RequestTarget {
    private RequestTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Limits.check(input, () -> take(input));
    }

    private static void take(byte[] input) {
        if (input.length >= Short.BYTES) {
            ByteBuffer in = ByteBuffer.wrap(input);
            try {
                Operation operation = Operation.ofNumber(in.getShort());
                RoundTrip.check(operation.decodeRequest(in), operation::decodeRequest);
            } catch (CrailException refused) {
                return;
            }
        }
    }
}
