/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A client that sends what it is told to, whether or not that is sensible. */
final class RawClient implements LinkEvents {
    final BlockingQueue<byte[]> answers = new LinkedBlockingQueue<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final VerbsGroup group;
    private final VerbsEndpoint endpoint;
    private final CompletionLoop loop;
    private final Thread thread;
    private int tickets;

    RawClient(DaRPCSettings settings, InetSocketAddress address) throws Exception {
        group = VerbsGroup.open(settings);
        endpoint = group.createEndpoint();
        loop = new CompletionLoop(settings, 1, () -> {});
        endpoint.attach(loop, loop.reserve(), this, loop::stop);
        loop.attach(endpoint);
        endpoint.connect(address, 1_000);
        thread = new Thread(() -> loop.run(0), "raw-client");
        thread.start();
    }

    void send(byte... payload) throws IOException {
        endpoint.send(++tickets, out -> out.put(payload));
    }

    /** Sends the whole buffer. */
    void send(ByteBuffer payload) throws IOException {
        endpoint.send(++tickets, out -> out.put(payload.clear()));
    }

    void sendWithTicket(int ticket) throws IOException {
        endpoint.send(ticket, out -> out.putInt(0));
    }

    boolean isEndedByPeer() throws InterruptedException {
        return ended.await(30, TimeUnit.SECONDS);
    }

    void close() throws Exception {
        endpoint.end(null);
        thread.join();
        endpoint.destroy();
        loop.close();
        group.close();
    }

    @Override
    public void onPayload(int ticket, ByteBuffer payload) {
        byte[] copy = new byte[payload.remaining()];
        payload.get(copy);
        answers.add(copy);
    }

    @Override
    public void onReceiveReady(int ticket) {}

    @Override
    public void onSent(int ticket) {}

    @Override
    public void onEnd(Throwable cause) {
        ended.countDown();
    }
}
