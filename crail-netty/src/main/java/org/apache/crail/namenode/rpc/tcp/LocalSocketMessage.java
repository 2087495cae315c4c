/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.crail.netty.LocalSocket;
import org.apache.crail.rpc.message.Encodable;

/**
 * What a client and a server say about the server's Unix domain socket: the client nothing, which is the question; the
 * server where it is, or nothing if there is none. Immutable.
 */
final class LocalSocketMessage implements Encodable {
    static final LocalSocketMessage QUESTION = new LocalSocketMessage(Optional.empty());

    private final byte[] encoded;

    LocalSocketMessage(Optional<LocalSocket> socket) {
        this.encoded = socket.map(LocalSocket::encoded).orElse(new byte[0]);
    }

    @Override
    public int encodedLength() {
        return encoded.length;
    }

    @Override
    public void encode(ByteBuffer out) {
        out.put(encoded);
    }
}
