/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.interleaving;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.rpc.message.Encodable;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcServer;
import org.apache.crail.rpc.transport.RpcTransport;

/**
 * Connects to one acceptor in this process; each end of a connection has a thread, which tells it what arrives. Thread
 * safe.
 */
public final class ThreadedTransport implements RpcTransport {
    private final RpcServer.Acceptor acceptor;

    /** Guarded by this. */
    private final List<End> ends = new ArrayList<>();

    /** Makes a transport without connections. */
    public ThreadedTransport(RpcServer.Acceptor acceptor) {
        this.acceptor = acceptor;
    }

    @Override
    public void init(CrailConfiguration configuration) {}

    @Override
    public CompletableFuture<RpcChannel> connect(
            InetSocketAddress address, int timeoutMs, RpcChannel.Receiver receiver) {
        End client = new End();
        End server = new End();
        client.other = server;
        server.other = client;
        client.receiver = receiver;
        server.receiver = acceptor.accept(server);
        synchronized (this) {
            ends.add(client);
            ends.add(server);
        }
        client.thread.start();
        server.thread.start();
        return CompletableFuture.completedFuture(client);
    }

    @Override
    public RpcServer listen(InetSocketAddress address, RpcServer.Acceptor other) {
        throw new UnsupportedOperationException("there is one acceptor");
    }

    @Override
    public void close() {
        all().forEach(End::close);
    }

    private synchronized List<End> all() {
        return new ArrayList<>(ends);
    }

    /** Waits for the threads of connections that have been closed. */
    public void join() throws InterruptedException {
        for (End end : all()) {
            end.thread.join();
        }
    }

    private static final class End implements RpcChannel {
        private final Thread thread = new Thread(this::receive, "receiver");

        /** What is to be received. Guarded by this. */
        private final Deque<ByteBuffer> coming = new ArrayDeque<>();

        /** Guarded by this. */
        private boolean ended;

        private End other;
        private Receiver receiver;

        @Override
        public void send(Encodable message) {
            ByteBuffer bytes = ByteBuffer.allocate(message.encodedLength());
            message.encode(bytes);
            other.arrive(bytes.flip());
        }

        private synchronized void arrive(ByteBuffer bytes) {
            if (!ended) {
                coming.add(bytes);
                notifyAll();
            }
        }

        private void receive() {
            for (ByteBuffer bytes = next(); bytes != null; bytes = next()) {
                receiver.onMessage(bytes);
            }
            receiver.onClosed(new IOException("the connection has ended"));
        }

        /** The next message; null behind the last one. */
        private synchronized ByteBuffer next() {
            while (coming.isEmpty() && !ended) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    return null;
                }
            }
            return coming.poll();
        }

        @Override
        public String peer() {
            return "thread";
        }

        @Override
        public void close() {
            end();
            other.end();
        }

        private synchronized void end() {
            ended = true;
            notifyAll();
        }
    }
}
