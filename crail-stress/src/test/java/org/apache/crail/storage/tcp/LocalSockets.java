/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import java.nio.ByteBuffer;
import org.apache.crail.error.ProtocolMismatchException;
import org.apache.crail.netty.LocalSocket;

/** What servers say of their Unix domain sockets. Stateless. */
final class LocalSockets {
    private LocalSockets() {}

    /** Whether a socket is encoded to what is decoded to it. */
    static boolean survives(LocalSocket socket) {
        try {
            return LocalSocket.decode(ByteBuffer.wrap(socket.encoded()))
                    .orElseThrow()
                    .equals(socket);
        } catch (ProtocolMismatchException e) {
            throw new AssertionError(e);
        }
    }
}
