/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;

/** Numbers of the protocol that the package describes. Stateless. */
final class TransferProtocol {
    /** "CRD2" in ASCII. */
    static final int MAGIC = 0x43524432;

    static final short VERSION = 1;
    static final int READ = 0x43520001;
    static final int WRITE = 0x43520002;
    static final int OK = 0;

    static final int HELLO_BYTES = 4 + 2 + 8 + 8 + 2;
    static final int HELLO_ANSWER_BYTES = 4 + 2 + 2 + 4;
    static final int REQUEST_BYTES = 4 + 8 + 4 + 8 + 4 + 8 + 4 + 4;
    static final int RESPONSE_BYTES = 8 + 4 + 4;
    static final int MAX_CLUSTER_ID_BYTES = 4096;
    static final int MAX_TEXT_BYTES = 4096;

    private TransferProtocol() {}

    static byte[] utf8(String text, int maxBytes) {
        byte[] all = text.getBytes(StandardCharsets.UTF_8);
        return all.length > maxBytes ? Arrays.copyOf(all, maxBytes) : all;
    }

    /** The answer to a greeting; {@code failure} is null if the client is welcome. */
    static ByteBuf helloAnswer(ByteBufAllocator allocator, CrailException failure) {
        byte[] text = failure == null ? new byte[0] : utf8(failure.getMessage(), MAX_TEXT_BYTES);
        return allocator
                .directBuffer(HELLO_ANSWER_BYTES + text.length)
                .writeInt(MAGIC)
                .writeShort(VERSION)
                .writeShort(failure == null ? OK : failure.code().number())
                .writeInt(text.length)
                .writeBytes(text);
    }

    /** The head of a response that carries {@code length} bytes of data. */
    static ByteBuf success(ByteBufAllocator allocator, long requestId, int length) {
        return allocator
                .directBuffer(RESPONSE_BYTES)
                .writeLong(requestId)
                .writeInt(OK)
                .writeInt(length);
    }

    static ByteBuf failure(ByteBufAllocator allocator, long requestId, CrailException failure) {
        byte[] text = utf8(failure.getMessage(), MAX_TEXT_BYTES);
        return allocator
                .directBuffer(RESPONSE_BYTES + text.length)
                .writeLong(requestId)
                .writeInt(failure.code().number())
                .writeInt(text.length)
                .writeBytes(text);
    }

    /** The error that a status and the text behind it stand for. */
    static CrailException error(int status, ByteBuf text) {
        return ErrorCode.ofNumber(status).exception(text.toString(StandardCharsets.UTF_8));
    }
}
