/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import io.netty.channel.Channel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.crail.error.ProtocolMismatchException;
import org.apache.crail.internal.OwnFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a server tells a client on its host about its Unix domain socket. On the wire: length of the address uint8 (4 or
 * 16), address, port uint16, length of the path uint16, path in UTF-8. Immutable.
 *
 * @param server the server's end of the connection on which it says so, as the server sees it
 * @param path where the socket is, as the server sees it
 */
public record LocalSocket(InetSocketAddress server, Path path) {
    private static final Logger LOG = LoggerFactory.getLogger(LocalSocket.class);

    /**
     * Whether the server has the very address that this connection was made to, and the socket is one that nobody but
     * its owner can have put there.
     */
    public boolean isBehind(Channel connection) {
        return SocketAddresses.isSameHost(connection)
                && server.equals(connection.remoteAddress())
                && SocketDirectory.mayHaveMade(path);
    }

    /** Whether the server runs as this process's user. */
    public boolean isOfThisUser() {
        try {
            return OwnFiles.isOwn(path);
        } catch (IOException e) {
            LOG.debug("it is not known whose {} is", path, e);
            return false;
        }
    }

    /** As it is on the wire. */
    public byte[] encoded() {
        byte[] address = server.getAddress().getAddress();
        byte[] text = path.toString().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(1 + address.length + 2 + 2 + text.length)
                .put((byte) address.length)
                .put(address)
                .putShort((short) server.getPort())
                .putShort((short) text.length)
                .put(text)
                .array();
    }

    /**
     * Reads what {@link #encoded} made; the buffer's position goes behind it.
     *
     * @return nothing if the path is no path here
     */
    public static Optional<LocalSocket> decode(ByteBuffer in) throws ProtocolMismatchException {
        try {
            byte[] address = bytes(in, Byte.toUnsignedInt(in.get()));
            int port = Short.toUnsignedInt(in.getShort());
            String text = new String(bytes(in, Short.toUnsignedInt(in.getShort())), StandardCharsets.UTF_8);
            return Optional.of(
                    new LocalSocket(new InetSocketAddress(InetAddress.getByAddress(address), port), Path.of(text)));
        } catch (InvalidPathException e) {
            return Optional.empty();
        } catch (BufferUnderflowException | UnknownHostException e) {
            throw new ProtocolMismatchException("the server tells its local socket in an unknown form: " + e);
        }
    }

    private static byte[] bytes(ByteBuffer in, int length) {
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }
}
