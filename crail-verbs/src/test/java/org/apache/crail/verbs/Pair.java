/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;

/** A listener and a connection to it, both ends in this process. For one thread. */
final class Pair implements AutoCloseable {
    static final int DEPTH = 16;
    static final int INLINE_BYTES = 64;

    final InetAddress address = Natives.deviceAddress();

    /** Holds the listening id and the channel of the accepted connections. */
    final Peer listener = new Peer();

    Peer client;

    /** The accepted connection; its own event channel is not used. */
    Peer server;

    Pair() throws IOException {
        listener.bind(address, 0);
        listener.natives._listen(listener.id, 16);
    }

    static Pair connected() throws IOException {
        Pair pair = new Pair();
        pair.connect();
        return pair;
    }

    /** Connects a new client. */
    void connect() throws IOException {
        request();
        accept();
    }

    /** Accepts what the listener has seen. */
    void accept() throws IOException {
        server = new Peer();
        server.id = listener.eventId;
        server.allocate(DEPTH, INLINE_BYTES);
        server.natives._accept(server.id, 7, 7);
        client.expectEvent(Peer.ESTABLISHED);
        listener.expectEvent(Peer.ESTABLISHED);
        assertThat(listener.eventId).isEqualTo(server.id);
    }

    /** A new client asks for a connection, which the listener has seen but not answered. */
    void request() throws IOException {
        request(7);
    }

    /** The same with that count of retries. */
    void request(int retries) throws IOException {
        client = new Peer();
        client.resolve(address, listener.port());
        client.allocate(DEPTH, INLINE_BYTES);
        client.connect(retries);
        listener.expectEvent(Peer.CONNECT_REQUEST);
        assertThat(listener.eventListener).isEqualTo(listener.id);
    }

    /** Closes client and server, as far as there are any. */
    void disconnect() throws IOException {
        if (client != null) {
            client.close();
            client = null;
        }
        if (server != null) {
            server.close();
            server = null;
        }
    }

    @Override
    public void close() throws IOException {
        disconnect();
        listener.close();
    }
}
