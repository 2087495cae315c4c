/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.error.CrailException;

/**
 * What a client asks of the namenode.
 *
 * @param <R> what the namenode answers
 */
public interface Request<R extends Response> extends Encodable {
    /** Which operation this asks for. */
    Operation operation();

    /**
     * Whether executing this request twice would differ from executing it once, so that the server must answer a copy
     * as it answered the first.
     */
    default boolean remembered() {
        return false;
    }

    /**
     * Reads the answer to this request.
     *
     * @throws CrailException if the bytes are not an answer to this request
     */
    R decodeResponse(ByteBuffer in) throws CrailException;
}
