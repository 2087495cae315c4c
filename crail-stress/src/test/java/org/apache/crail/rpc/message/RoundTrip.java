/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.crail.error.CrailException;

/** What has been decoded is encoded to as many bytes as it says, and these are decoded to the same. Stateless. */
final class RoundTrip {
    private RoundTrip() {}

    /** Reads a message. */
    interface Reader {
        Encodable decode(ByteBuffer in) throws CrailException;
    }

    static void check(Encodable message, Reader decoder) {
        byte[] first = encoded(message);
        Encodable again;
        try {
            again = decoder.decode(ByteBuffer.wrap(first));
        } catch (CrailException e) {
            throw new AssertionError(message + " was encoded to " + Arrays.toString(first), e);
        }
        if (!Arrays.equals(encoded(again), first)) {
            throw new AssertionError(message + " became " + again);
        }
    }

    static byte[] encoded(Encodable message) {
        ByteBuffer out = ByteBuffer.allocate(message.encodedLength());
        message.encode(out);
        if (out.hasRemaining()) {
            throw new AssertionError(message + " is " + out.remaining() + " bytes shorter than it says");
        }
        return out.array();
    }
}
