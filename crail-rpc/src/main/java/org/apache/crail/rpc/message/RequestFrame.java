/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;

/**
 * A request with what is needed to answer and to retry it: its id, unique for the client, and the lowest id whose
 * answer the client still waits for, below which the server may forget what it answered (after RIFL, SOSP 2015).
 *
 * @param requestId counts up from 1 for each client
 * @param oldestPending ids below this one have been answered
 * @param request what is asked
 */
public record RequestFrame(long requestId, long oldestPending, Request<?> request) implements Encodable {
    /** Bytes in front of the request: id, oldest pending id, operation. */
    public static final int HEADER_LENGTH = 8 + 8 + 2;

    @Override
    public int encodedLength() {
        return HEADER_LENGTH + request.encodedLength();
    }

    @Override
    public void encode(ByteBuffer out) {
        out.putLong(requestId);
        out.putLong(oldestPending);
        out.putShort((short) request.operation().number());
        request.encode(out);
    }
}
