/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.rpc.message.Encodable;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcServer;
import org.apache.crail.rpc.transport.RpcTransport;

/** Connects to one acceptor inside the process; one thread delivers everything. Thread safe. */
final class LoopTransport implements RpcTransport {
    private final RpcServer.Acceptor acceptor;
    private final ExecutorService delivery = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "loop-transport");
        thread.setDaemon(true);
        return thread;
    });
    private final Set<End> ends = ConcurrentHashMap.newKeySet();

    LoopTransport(RpcServer.Acceptor acceptor) {
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
        server.receiver = acceptor.accept(server);
        client.receiver = receiver;
        ends.add(client);
        return CompletableFuture.completedFuture(client);
    }

    @Override
    public RpcServer listen(InetSocketAddress address, RpcServer.Acceptor other) {
        throw new UnsupportedOperationException();
    }

    /** Waits until all requests that have been sent are answered. */
    void settle() throws Exception {
        delivery.submit(() -> {}).get(); // behind the requests,
        delivery.submit(() -> {}).get(); // and behind the answers that these have sent
    }

    /** Delivers nothing until the latch is opened. */
    CountDownLatch hold() {
        CountDownLatch held = new CountDownLatch(1);
        delivery.execute(() -> {
            try {
                held.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        return held;
    }

    /** Breaks all connections, as a fault of the network would. */
    void breakConnections() {
        ends.forEach(End::close);
        ends.clear();
    }

    @Override
    public void close() {
        breakConnections();
        delivery.shutdown();
    }

    private final class End implements RpcChannel {
        private End other;
        private Receiver receiver;
        private volatile boolean closed;

        @Override
        public void send(Encodable message) {
            ByteBuffer bytes = ByteBuffer.allocate(message.encodedLength());
            message.encode(bytes);
            bytes.flip();
            deliver(other, () -> other.receiver.onMessage(bytes));
        }

        private void deliver(End to, Runnable task) {
            if (!delivery.isShutdown()) {
                delivery.execute(() -> {
                    if (!to.closed) {
                        task.run();
                    }
                });
            }
        }

        @Override
        public String peer() {
            return "loop";
        }

        @Override
        public void close() {
            end(null);
            other.end(new IOException("closed by the other end"));
        }

        private void end(IOException cause) {
            deliver(this, () -> {
                closed = true;
                receiver.onClosed(cause);
            });
        }
    }
}
