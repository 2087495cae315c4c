/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import java.nio.ByteBuffer;
import org.apache.crail.error.ProtocolMismatchException;

/**
 * The first payload of each direction: what an end can take, so that neither sends more than the other has room for.
 *
 * @param payloadBytes length of the buffers that payloads are received in
 * @param depth how many calls are in flight at most
 */
record Greeting(int payloadBytes, int depth) implements Payload {
    static final int LARGEST_DEPTH = 16 * 1024;
    static final int LARGEST_PAYLOAD_BYTES = 128 * 1024;

    private static final int MAGIC = 0x43524452; // "CRDR"
    private static final int VERSION = 1;
    private static final int LENGTH_BYTES = 4 * Integer.BYTES;

    @Override
    public void writeTo(ByteBuffer out) {
        out.putInt(MAGIC).putInt(VERSION).putInt(payloadBytes).putInt(depth);
    }

    /**
     * Reads the other end's greeting.
     *
     * @throws ProtocolMismatchException if it is none, or one of another version
     */
    static Greeting read(ByteBuffer in) throws ProtocolMismatchException {
        if (in.remaining() != LENGTH_BYTES || in.getInt() != MAGIC) {
            throw new ProtocolMismatchException(
                    "the first message is no greeting; check that both ends are Crail, and" + " of the same release");
        }
        int version = in.getInt();
        if (version != VERSION) {
            throw new ProtocolMismatchException("the other end speaks version " + version
                    + " of the DaRPC transport, this one version " + VERSION + "; use the same release on both sides");
        }
        Greeting greeting = new Greeting(in.getInt(), in.getInt());
        boolean sane = greeting.payloadBytes >= SMALLEST_BYTES
                && greeting.payloadBytes <= LARGEST_PAYLOAD_BYTES
                && greeting.depth >= 1
                && greeting.depth <= LARGEST_DEPTH;
        if (!sane) {
            throw new ProtocolMismatchException("the other end greets with impossible values, " + greeting);
        }
        return greeting;
    }

    /** What both ends can take. */
    Greeting commonWith(Greeting other) {
        return new Greeting(Math.min(payloadBytes, other.payloadBytes), Math.min(depth, other.depth));
    }
}
