/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.rpc.message.Encodable;
import org.apache.crail.rpc.transport.RpcTransport;

/**
 * Cuts messages into payloads. A message is encoded straight into the payload that takes it as a whole; only one that
 * is larger than a payload is encoded aside and sent in parts. Not thread safe; callers exclude each other.
 */
final class StreamOutput {
    private static final int LENGTH_BYTES = Integer.BYTES;

    private final ArrayDeque<Encodable> messages = new ArrayDeque<>();
    private int firstLength;
    private int bytes;
    private ByteBuffer rest;

    /**
     * Adds a message.
     *
     * @throws InvalidRequestException if it is larger than any transport carries; nothing has been added then
     */
    void add(Encodable message) throws InvalidRequestException {
        int length = message.encodedLength();
        if (length > RpcTransport.MAX_MESSAGE_BYTES) {
            throw new InvalidRequestException(message.getClass().getSimpleName() + " of " + length
                    + " bytes cannot be sent, messages have at most " + RpcTransport.MAX_MESSAGE_BYTES);
        }
        if (messages.isEmpty()) {
            firstLength = length;
        }
        messages.add(message);
        bytes += LENGTH_BYTES + length;
    }

    /** Bytes that wait to be sent. */
    int bytes() {
        return bytes;
    }

    /** Writes as much as there is and as fits between position and limit. */
    void fill(ByteBuffer out) {
        int start = out.position();
        boolean whole = writeRest(out);
        while (whole && !messages.isEmpty()) {
            if (LENGTH_BYTES + firstLength <= out.remaining()) {
                out.putInt(firstLength);
                take().encode(out);
            } else if (out.position() > start) {
                break; // the next payload takes it, perhaps as a whole
            } else {
                rest = ByteBuffer.allocate(LENGTH_BYTES + firstLength).putInt(firstLength);
                take().encode(rest);
                rest.flip();
                whole = writeRest(out);
            }
        }
        bytes -= out.position() - start;
    }

    private Encodable take() {
        Encodable message = messages.poll();
        if (!messages.isEmpty()) {
            firstLength = messages.peek().encodedLength();
        }
        return message;
    }

    private boolean writeRest(ByteBuffer out) {
        if (rest == null) {
            return true;
        }
        int length = Math.min(rest.remaining(), out.remaining());
        out.put(out.position(), rest, rest.position(), length);
        out.position(out.position() + length);
        rest.position(rest.position() + length);
        if (rest.hasRemaining()) {
            return false;
        }
        rest = null;
        return true;
    }
}
