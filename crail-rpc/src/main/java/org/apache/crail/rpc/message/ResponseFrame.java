/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;

/**
 * An answer: the id of the request, the number of an {@link ErrorCode} or 0, and the response or the error's message.
 *
 * @param requestId which request this answers
 * @param status 0, or the number of an error
 * @param body the response, or the text of the error
 */
public record ResponseFrame(long requestId, int status, Encodable body) implements Encodable {
    /** Bytes in front of the body: id and status. */
    public static final int HEADER_LENGTH = 8 + 2;

    /** The status of an operation that succeeded. */
    public static final int OK = 0;

    /** Answers with a response. */
    public static ResponseFrame success(long requestId, Response response) {
        return new ResponseFrame(requestId, OK, response);
    }

    /** Answers with an error. */
    public static ResponseFrame failure(long requestId, CrailException error) {
        return new ResponseFrame(requestId, error.code().number(), new ErrorText(error.getMessage()));
    }

    /** Reads the error that a frame with this status carries. */
    public static CrailException decodeError(int status, ByteBuffer in) {
        return ErrorCode.ofNumber(status).exception(ErrorText.decode(in).text());
    }

    @Override
    public int encodedLength() {
        return HEADER_LENGTH + body.encodedLength();
    }

    @Override
    public void encode(ByteBuffer out) {
        out.putLong(requestId);
        out.putShort((short) status);
        body.encode(out);
    }
}
