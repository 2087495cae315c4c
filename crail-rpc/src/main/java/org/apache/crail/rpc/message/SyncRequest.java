/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ProtocolMismatchException;

/**
 * Sets a file's capacity and time of modification, and renews its write token or ends the writing. A capacity below the
 * present one does not change it; a capacity of 0 only renews the token.
 *
 * @param fd which
 * @param token the write token
 * @param capacity bytes that have been written
 * @param end whether the writing ends, and how
 */
public record SyncRequest(long fd, long token, long capacity, End end) implements Request<SyncResponse> {

    /** How a writer ends. */
    public enum End {
        /** It goes on. */
        NONE(0),

        /** It has written all: the token is given back, and so are the blocks beyond the capacity. */
        CLOSED(1),

        /**
         * As {@link #CLOSED}; the token is that of the create, and its holder has begun no write. Then nobody has, and
         * nobody will, so that blocks that are given back can be given out again at once.
         */
        UNTOUCHED(2),

        /** A write has failed, and none is on its way any more; else as {@link #CLOSED}. */
        FAILED(3),

        /**
         * As {@link #FAILED}, but a write may yet reach its block, which is why the token stays taken until it expires.
         */
        DOUBTFUL(4);

        private static final End[] ALL = values();

        private final byte code;

        End(int code) {
            this.code = (byte) code;
        }

        static End of(byte code) throws ProtocolMismatchException {
            if (code < 0 || code >= ALL.length) {
                throw new ProtocolMismatchException(
                        "SYNC: a writer cannot end in way " + code + "; the ways are 0 to " + (ALL.length - 1));
            }
            return ALL[code];
        }
    }

    @Override
    public Operation operation() {
        return Operation.SYNC;
    }

    /** A writer's last word is said once: a copy may come when another one has written since. */
    @Override
    public boolean remembered() {
        return end != End.NONE;
    }

    @Override
    public SyncResponse decodeResponse(ByteBuffer in) throws CrailException {
        return Wire.decode(in, SyncResponse::decode, Operation.SYNC);
    }

    @Override
    public int encodedLength() {
        return 8 + 8 + 8 + 1;
    }

    @Override
    public void encode(ByteBuffer out) {
        out.putLong(fd);
        out.putLong(token);
        out.putLong(capacity);
        out.put(end.code);
    }

    static SyncRequest decode(ByteBuffer in) throws CrailException {
        long fd = in.getLong();
        long token = in.getLong();
        long capacity = in.getLong();
        return new SyncRequest(fd, token, capacity, End.of(in.get()));
    }
}
