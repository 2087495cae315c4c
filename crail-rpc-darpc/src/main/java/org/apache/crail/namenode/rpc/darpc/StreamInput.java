/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import java.nio.ByteBuffer;
import org.apache.crail.error.ProtocolMismatchException;
import org.apache.crail.rpc.transport.RpcTransport;

/**
 * Finds the messages in the payloads that arrive. A message that lies in one payload is read in place; what a payload
 * leaves over is kept, up to a limit, until the next one comes. Confined to the completion loop.
 */
final class StreamInput {
    private static final int LENGTH_BYTES = Integer.BYTES;

    private final int limitBytes;
    private ByteBuffer buffer;
    private boolean isKept;
    private int readIndex;
    private int writeIndex;

    /** Makes an empty input that keeps a message and {@code furtherBytes} behind it. */
    StreamInput(int furtherBytes) {
        this.limitBytes = LENGTH_BYTES + RpcTransport.MAX_MESSAGE_BYTES + furtherBytes;
    }

    /**
     * Takes what is left of a payload, which must stay valid until {@link #keepRest}.
     *
     * @throws ProtocolMismatchException if more arrives than is kept
     */
    void accept(ByteBuffer payload) throws ProtocolMismatchException {
        if (buffer == null) {
            buffer = payload;
            readIndex = payload.position();
            writeIndex = payload.limit();
        } else {
            append(payload);
        }
    }

    private void append(ByteBuffer payload) throws ProtocolMismatchException {
        int length = writeIndex - readIndex + payload.remaining();
        if (length > limitBytes) {
            throw new ProtocolMismatchException("more than " + limitBytes
                    + " bytes arrived before there was room for their answers; use the same release on both sides");
        }
        if (readIndex + length > buffer.capacity()) {
            keep(Math.min(limitBytes, Math.max(2 * length, bytesOfNext())));
        }
        int added = payload.remaining();
        buffer.clear().put(writeIndex, payload, payload.position(), added);
        writeIndex += added;
    }

    /** Moves what has not been read into a buffer of its own. */
    private void keep(int capacity) {
        int length = writeIndex - readIndex;
        buffer = ByteBuffer.allocate(capacity).put(0, buffer.clear(), readIndex, length);
        isKept = true;
        readIndex = 0;
        writeIndex = length;
    }

    /** Bytes of the message whose begin is there, so that room for it is made once. */
    private int bytesOfNext() {
        if (writeIndex - readIndex < LENGTH_BYTES) {
            return LENGTH_BYTES;
        }
        int length = buffer.clear().getInt(readIndex);
        return LENGTH_BYTES + Math.max(0, Math.min(length, RpcTransport.MAX_MESSAGE_BYTES));
    }

    /**
     * The next message, valid until the next call, or null if none is complete.
     *
     * @throws ProtocolMismatchException if what arrives is no message
     */
    ByteBuffer next() throws ProtocolMismatchException {
        int available = writeIndex - readIndex;
        if (available < LENGTH_BYTES) {
            return null;
        }
        int length = buffer.clear().getInt(readIndex);
        if (length < 0 || length > RpcTransport.MAX_MESSAGE_BYTES) {
            throw new ProtocolMismatchException("a message of " + length + " bytes arrived, messages have from 0 to "
                    + RpcTransport.MAX_MESSAGE_BYTES);
        }
        if (available - LENGTH_BYTES < length) {
            return null;
        }
        int start = readIndex + LENGTH_BYTES;
        readIndex = start + length;
        return buffer.limit(readIndex).position(start);
    }

    /** Whether bytes have arrived that no message was made of yet. */
    boolean hasRest() {
        return writeIndex > readIndex;
    }

    /** Copies what no message was made of, so that the payload can be given back. */
    void keepRest() {
        if (!hasRest()) {
            buffer = null;
            isKept = false;
            readIndex = 0;
            writeIndex = 0;
        } else if (!isKept) {
            keep(Math.max(2 * (writeIndex - readIndex), bytesOfNext()));
        }
    }
}
