/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.UUID;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.error.ProtocolMismatchException;
import org.apache.crail.local.block.LocalOffer;
import org.apache.crail.netty.LocalSocket;

/** Numbers of the protocol that the package describes. Stateless. */
final class TransferProtocol {
    /** "CRD2" in ASCII. */
    static final int MAGIC = 0x43524432;

    static final short VERSION = 6;
    static final int READ = 0x43520001;
    static final int WRITE = 0x43520002;
    static final int OK = 0;

    static final int HELLO_BYTES = 4 + 2 + 8 + 8 + 2;
    static final int HELLO_ANSWER_BYTES = 4 + 2 + 2 + 4;

    /**
     * Length of the head of a request or a response, a cache line. The kernel's buffer begins with a page and the head,
     * a block or a client's buffer with a page, so the payload goes to so many bytes behind its own place in a page;
     * AMD's Zen 3 copies (rep movsb) six times slower if that is 1 to 31 bytes.
     */
    static final int HEAD_BYTES = 64;

    static final int UNUSED_REQUEST_BYTES = HEAD_BYTES - (4 + 8 + 4 + 8 + 4 + 8 + 4 + 4);
    static final int UNUSED_RESPONSE_BYTES = HEAD_BYTES - (8 + 4 + 4);
    static final int MAX_CLUSTER_ID_BYTES = 4096;
    static final int MAX_TEXT_BYTES = 4096;
    private static final int MEMORY_OFFER_BYTES = 3 * 8;

    private static final byte[] NOTHING = {};

    private TransferProtocol() {}

    static byte[] utf8(String text, int maxBytes) {
        byte[] all = text.getBytes(StandardCharsets.UTF_8);
        return all.length > maxBytes ? Arrays.copyOf(all, maxBytes) : all;
    }

    /** The answer to the greeting of a client that is welcome. */
    static ByteBuf welcome(ByteBufAllocator allocator, Shortcuts shortcuts) {
        byte[] socket =
                shortcuts.socket() == null ? NOTHING : shortcuts.socket().encoded();
        byte[] memory = shortcuts.memory() == null ? NOTHING : encoded(shortcuts.memory());
        int length = 2 + socket.length + memory.length;
        if (length == 2 || length > MAX_TEXT_BYTES) {
            return helloAnswer(allocator, OK, 0);
        }
        return helloAnswer(allocator, OK, length)
                .writeShort(socket.length)
                .writeBytes(socket)
                .writeBytes(memory);
    }

    private static byte[] encoded(LocalOffer memory) {
        byte[] directory = memory.directory().toString().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(MEMORY_OFFER_BYTES + directory.length)
                .putLong(memory.token().getMostSignificantBits())
                .putLong(memory.token().getLeastSignificantBits())
                .putLong(memory.stamp())
                .put(directory)
                .array();
    }

    /** What {@link #welcome} wrote behind its head, without what has no name here. */
    static Shortcuts shortcuts(ByteBuf in) throws ProtocolMismatchException {
        try {
            LocalSocket socket = null;
            LocalOffer memory = null;
            int socketBytes = in.isReadable() ? in.readUnsignedShort() : 0;
            if (socketBytes > 0) {
                socket = LocalSocket.decode(in.readSlice(socketBytes).nioBuffer())
                        .orElse(null);
            }
            if (in.isReadable()) {
                memory = memory(in);
            }
            return new Shortcuts(socket, memory);
        } catch (IndexOutOfBoundsException e) {
            throw new ProtocolMismatchException("the datanode welcomes clients in an unknown form: " + e.getMessage());
        }
    }

    private static LocalOffer memory(ByteBuf in) {
        UUID token = new UUID(in.readLong(), in.readLong());
        long stamp = in.readLong();
        try {
            return new LocalOffer(Path.of(in.toString(StandardCharsets.UTF_8)), token, stamp);
        } catch (InvalidPathException e) {
            return null;
        }
    }

    /** The answer to the greeting of a client that is not welcome. */
    static ByteBuf refusal(ByteBufAllocator allocator, CrailException reason) {
        byte[] text = utf8(reason.getMessage(), MAX_TEXT_BYTES);
        return helloAnswer(allocator, reason.code().number(), text.length).writeBytes(text);
    }

    private static ByteBuf helloAnswer(ByteBufAllocator allocator, int status, int length) {
        return allocator
                .directBuffer(HELLO_ANSWER_BYTES + length)
                .writeInt(MAGIC)
                .writeShort(VERSION)
                .writeShort(status)
                .writeInt(length);
    }

    /** The head of a response that carries {@code length} bytes of data. */
    static ByteBuf success(ByteBufAllocator allocator, long requestId, int length) {
        return allocator
                .directBuffer(HEAD_BYTES)
                .writeLong(requestId)
                .writeInt(OK)
                .writeInt(length)
                .writeZero(UNUSED_RESPONSE_BYTES);
    }

    static ByteBuf failure(ByteBufAllocator allocator, long requestId, CrailException failure) {
        byte[] text = utf8(failure.getMessage(), MAX_TEXT_BYTES);
        return allocator
                .directBuffer(HEAD_BYTES + text.length)
                .writeLong(requestId)
                .writeInt(failure.code().number())
                .writeInt(text.length)
                .writeZero(UNUSED_RESPONSE_BYTES)
                .writeBytes(text);
    }

    /** The error that a status and the text behind it stand for. */
    static CrailException error(int status, ByteBuf text) {
        return ErrorCode.ofNumber(status).exception(text.toString(StandardCharsets.UTF_8));
    }
}
