/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.apache.crail.rpc.message.Encodable;
import org.apache.crail.rpc.transport.RpcChannel;

/**
 * One end of a connection in memory; its thread delivers what the other end sends, and keeps what comes before it is
 * started. All methods are thread safe.
 */
final class MemoryTransportChannel implements RpcChannel {
    private final String peer;
    private final ExecutorService delivery = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "memory-channel");
        thread.setDaemon(true);
        return thread;
    });
    private final CompletableFuture<Receiver> receiver = new CompletableFuture<>();
    private MemoryTransportChannel other;

    /** Used by the thread that delivers. */
    private boolean closed;

    MemoryTransportChannel(String peer) {
        this.peer = peer;
    }

    void join(MemoryTransportChannel end) {
        other = end;
        end.other = this;
    }

    void start(Receiver target) {
        receiver.complete(target);
    }

    @Override
    public void send(Encodable message) {
        ByteBuffer bytes = ByteBuffer.allocate(message.encodedLength());
        message.encode(bytes);
        if (bytes.hasRemaining()) {
            throw new IllegalStateException(message + " is shorter than its encoded length");
        }
        bytes.flip();
        other.deliver(bytes);
    }

    private void deliver(ByteBuffer bytes) {
        execute(() -> {
            if (!closed) {
                receiver.join().onMessage(bytes);
            }
        });
    }

    @Override
    public String peer() {
        return peer;
    }

    @Override
    public void close() {
        end(null);
        other.end(new IOException("the other end closed the connection"));
    }

    private void end(Throwable cause) {
        execute(() -> {
            if (!closed) {
                closed = true;
                delivery.shutdown(); // by its own thread: one that is only being made would not begin any more
                receiver.join().onClosed(cause);
            }
        });
    }

    private void execute(Runnable task) {
        try {
            delivery.execute(task);
        } catch (RejectedExecutionException e) {
            // This end has been closed: what arrives is lost, as on a network.
        }
    }
}
