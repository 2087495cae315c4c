/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.crail.netty.LocalSocket;
import org.apache.crail.rpc.message.Encodable;

/**
 * What a client and a server say about a shorter way between them, to a Unix domain socket or to memory: the client
 * nothing, which is the question; the server where it is, or nothing if there is none. Immutable.
 */
final class ShortcutMessage implements Encodable {
    /** Asks; or, as an answer, refuses. */
    static final ShortcutMessage EMPTY = new ShortcutMessage(new byte[0]);

    private final byte[] encoded;

    private ShortcutMessage(byte[] encoded) {
        this.encoded = encoded;
    }

    /** Says where a socket is. */
    static ShortcutMessage of(Optional<LocalSocket> socket) {
        return socket.map(LocalSocket::encoded).map(ShortcutMessage::new).orElse(EMPTY);
    }

    /** Says where the memory's file is. */
    static ShortcutMessage of(Path memory) {
        return new ShortcutMessage(memory.toString().getBytes(StandardCharsets.UTF_8));
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
