/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.error.CrailException;

/**
 * Opens a session; the first message on every connection.
 *
 * @param magic {@link #MAGIC}, which tells this protocol from others
 * @param version the protocol version that the client speaks
 * @param clusterId the cluster that the client wants to talk to
 * @param clientIdHigh first half of the id that the client keeps across its connections
 * @param clientIdLow second half of that id
 * @param openedAt the incarnation of the namenode that has this client's session; {@link #NOWHERE} for a new session
 */
public record HelloRequest(int magic, int version, String clusterId, long clientIdHigh, long clientIdLow, long openedAt)
        implements Request<HelloResponse> {
    /** The first four bytes of every session: "CRL2". */
    public static final int MAGIC = 0x43524C32;

    /** The version of the protocol that this release speaks; both sides must speak the same. */
    public static final int VERSION = 11;

    /** No namenode has the session yet. */
    public static final long NOWHERE = 0;

    /**
     * How many requests a client has in flight at most, and how many replies the namenode remembers for it; a power of
     * two.
     */
    public static final int WINDOW_SIZE = 4096;

    @Override
    public Operation operation() {
        return Operation.HELLO;
    }

    @Override
    public HelloResponse decodeResponse(ByteBuffer in) throws CrailException {
        return Wire.decode(in, HelloResponse::decode, Operation.HELLO);
    }

    @Override
    public int encodedLength() {
        return 4 + 4 + Wire.textLength(clusterId) + 8 + 8 + 8;
    }

    @Override
    public void encode(ByteBuffer out) {
        out.putInt(magic);
        out.putInt(version);
        Wire.putText(out, clusterId);
        out.putLong(clientIdHigh);
        out.putLong(clientIdLow);
        out.putLong(openedAt);
    }

    static HelloRequest decode(ByteBuffer in) {
        int magic = in.getInt();
        int version = in.getInt();
        if (magic != MAGIC || version != VERSION) { // what follows is for another release to say
            in.position(in.limit());
            return new HelloRequest(magic, version, "", 0, 0, NOWHERE);
        }
        String clusterId = Wire.getText(in);
        long clientIdHigh = in.getLong();
        long clientIdLow = in.getLong();
        long openedAt = in.getLong();
        return new HelloRequest(magic, version, clusterId, clientIdHigh, clientIdLow, openedAt);
    }
}
