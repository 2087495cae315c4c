/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;

/** Something that can be laid out in bytes. Immutable, so that it can be encoded again when a request is retried. */
public interface Encodable {
    /** The exact number of bytes that {@link #encode} writes. */
    int encodedLength();

    /**
     * Writes {@link #encodedLength()} bytes at the buffer's position, which advances; the buffer stays the caller's.
     */
    void encode(ByteBuffer out);
}
