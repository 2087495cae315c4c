/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.rpc.transport.RpcChannel;

/** Keeps what arrives and notices calls that overlap or follow the last one. Thread safe. */
final class RecordingReceiver implements RpcChannel.Receiver {
    final BlockingQueue<byte[]> messages = new LinkedBlockingQueue<>();
    final CompletableFuture<Boolean> closedWithCause = new CompletableFuture<>();
    final AtomicInteger closings = new AtomicInteger();
    final AtomicInteger violations = new AtomicInteger();
    volatile Runnable onNext = () -> {}; // what the next message leads to, inside the transport
    private final AtomicBoolean inside = new AtomicBoolean();

    @Override
    public void onMessage(ByteBuffer message) {
        enter();
        byte[] copy = new byte[message.remaining()];
        message.get(copy);
        Runnable follow = onNext;
        onNext = () -> {};
        follow.run();
        messages.add(copy);
        inside.set(false);
    }

    @Override
    public void onClosed(Throwable cause) {
        enter();
        closings.incrementAndGet();
        closedWithCause.complete(cause != null);
        inside.set(false);
    }

    private void enter() {
        if (!inside.compareAndSet(false, true) || closings.get() > 0) {
            violations.incrementAndGet();
        }
    }

    byte[] next() throws InterruptedException {
        return messages.poll(20, TimeUnit.SECONDS);
    }

    boolean awaitClosed() {
        return closedWithCause.orTimeout(20, TimeUnit.SECONDS).join();
    }
}
