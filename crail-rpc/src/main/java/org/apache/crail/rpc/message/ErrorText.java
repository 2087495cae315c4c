/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The message of an error on the wire: the rest of the frame, cut to a bounded length. Immutable. */
final class ErrorText implements Encodable {
    private static final int MAX_BYTES = 4 * 1024;

    private final byte[] utf8;

    ErrorText(String text) {
        byte[] all = String.valueOf(text).getBytes(StandardCharsets.UTF_8);
        utf8 = all.length > MAX_BYTES ? Arrays.copyOf(all, MAX_BYTES) : all;
    }

    static ErrorText decode(ByteBuffer in) {
        byte[] bytes = new byte[in.remaining()];
        in.get(bytes);
        return new ErrorText(new String(bytes, StandardCharsets.UTF_8));
    }

    String text() {
        return new String(utf8, StandardCharsets.UTF_8);
    }

    @Override
    public int encodedLength() {
        return utf8.length;
    }

    @Override
    public void encode(ByteBuffer out) {
        out.put(utf8);
    }
}
