/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.message;

import java.nio.ByteBuffer;
import org.apache.crail.error.ProtocolMismatchException;

/** Moves bytes through rings. Stateless. */
final class RingBytes {
    private RingBytes() {}

    /** Takes what there is room for; answers how many bytes. */
    static int write(RingWriter to, ByteBuffer from) throws ProtocolMismatchException {
        int length = to.room(from.remaining());
        for (int left = length; left > 0; ) {
            ByteBuffer part = to.window(left);
            int bytes = part.remaining();
            part.put(from.slice(from.position(), bytes));
            from.position(from.position() + bytes);
            to.advance(bytes);
            left -= bytes;
        }
        return length;
    }

    /** Copies what is there and has room; answers whether the writer has to be woken. */
    static boolean read(RingReader from, ByteBuffer into) throws ProtocolMismatchException {
        for (int left = from.available(into.remaining()); left > 0; ) {
            ByteBuffer part = from.window(left);
            int bytes = part.remaining();
            into.put(part);
            from.advance(bytes);
            left -= bytes;
        }
        return from.free();
    }
}
