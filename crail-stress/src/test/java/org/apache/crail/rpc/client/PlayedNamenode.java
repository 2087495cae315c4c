/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.CrailException;
import org.apache.crail.interleaving.Interleavings;
import org.apache.crail.interleaving.ManualSurroundings;
import org.apache.crail.rpc.message.Encodable;
import org.apache.crail.rpc.message.HelloRequest;
import org.apache.crail.rpc.message.HelloResponse;
import org.apache.crail.rpc.message.PingRequest;
import org.apache.crail.rpc.message.PingResponse;
import org.apache.crail.rpc.message.Request;
import org.apache.crail.rpc.message.RequestFrame;
import org.apache.crail.rpc.message.ResponseFrame;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcServer;
import org.apache.crail.rpc.transport.RpcTransport;

/** A client's connection to a namenode whose answers a scenario makes up. Thread safe. */
final class PlayedNamenode implements RpcTransport, Interleavings.Fixture {
    static final long LIMIT_MS = 10_000;

    private static final InetSocketAddress ADDRESS = InetSocketAddress.createUnresolved("namenode", 1);
    private static final HelloResponse HELLO = new HelloResponse("c", 1, 4096, 0, 1, 1000);

    /** Longer than the client pauses between attempts to connect. */
    private static final long LONGEST_PAUSE_MS = 600;

    private static final int MOST_ROUNDS = 10;

    final ManualSurroundings surroundings = new ManualSurroundings();
    final NamenodeConnection connection =
            new NamenodeConnection(this, () -> ADDRESS, "c", LIMIT_MS, LIMIT_MS, surroundings::execute);

    /** Guarded by this. */
    private final List<Line> lines = new ArrayList<>();

    /** What each id stood for, on all lines. Guarded by this. */
    private final Map<Long, Request<?>> requests = new HashMap<>();

    /** A client whose session is open. */
    static PlayedNamenode open() throws Exception {
        PlayedNamenode opened = new PlayedNamenode();
        CompletableFuture<HelloResponse> hello = opened.connection.connect();
        opened.line(0).answer();
        hello.get();
        return opened;
    }

    @Override
    public void init(CrailConfiguration configuration) {}

    @Override
    public synchronized CompletableFuture<RpcChannel> connect(
            InetSocketAddress address, int timeoutMs, RpcChannel.Receiver receiver) {
        Line line = new Line(receiver);
        lines.add(line);
        return CompletableFuture.completedFuture(line);
    }

    @Override
    public RpcServer listen(InetSocketAddress address, RpcServer.Acceptor acceptor) {
        throw new UnsupportedOperationException("nobody listens");
    }

    /** The n-th connection, when its greeting has come. */
    Line line(int number) throws InterruptedException {
        surroundings.join();
        synchronized (this) {
            assertThat(lines).hasSizeGreaterThan(number);
            return lines.get(number);
        }
    }

    private synchronized void check(RequestFrame frame) {
        assertThat(frame.oldestPending()).isBetween(0L, frame.requestId());
        if (!(frame.request() instanceof HelloRequest)) {
            Request<?> before = requests.putIfAbsent(frame.requestId(), frame.request());
            assertThat(before).as("id %s", frame.requestId()).isIn(null, frame.request());
        }
    }

    /** Lets the client connect as often as it wants to, and answers what it asks, until a call has ended. */
    void settle(CompletableFuture<?> call) throws InterruptedException {
        for (int i = 0; i < MOST_ROUNDS && !call.isDone(); i++) {
            surroundings.pass(LONGEST_PAUSE_MS);
            surroundings.join();
            answer();
            surroundings.join();
        }
        assertThat(call).isDone();
    }

    /** Answers what the client has asked for, over connections that are there. */
    void answer() {
        List<Line> all;
        synchronized (this) {
            all = new ArrayList<>(lines);
        }
        all.forEach(Line::answer);
    }

    @Override
    public void close() {}

    @Override
    public void end() throws InterruptedException {
        connection.close();
        surroundings.end();
    }

    /** The namenode's end of a connection. Calls of the receiver do not overlap. */
    final class Line implements RpcChannel {
        private final Receiver receiver;
        private final Object telling = new Object();

        /** Guarded by {@link #telling}. */
        private boolean ended;

        /** Guarded by this. */
        private final List<RequestFrame> unanswered = new ArrayList<>();

        private Line(Receiver receiver) {
            this.receiver = receiver;
        }

        @Override
        public void send(Encodable message) {
            RequestFrame frame = (RequestFrame) message;
            check(frame);
            synchronized (this) {
                unanswered.add(frame);
            }
        }

        private synchronized RequestFrame next() {
            return unanswered.isEmpty() ? null : unanswered.remove(0);
        }

        /** Answers what has come. */
        void answer() {
            for (RequestFrame frame = next(); frame != null; frame = next()) {
                if (frame.request() instanceof PingRequest ping) {
                    tell(ResponseFrame.success(frame.requestId(), new PingResponse(ping.number() + 1)));
                } else if (frame.request() instanceof HelloRequest) {
                    tell(ResponseFrame.success(frame.requestId(), HELLO));
                }
            }
        }

        /** Refuses what has come. */
        void refuse(CrailException reason) {
            for (RequestFrame frame = next(); frame != null; frame = next()) {
                tell(ResponseFrame.failure(frame.requestId(), reason));
            }
        }

        private void tell(ResponseFrame frame) {
            ByteBuffer bytes = ByteBuffer.allocate(frame.encodedLength());
            frame.encode(bytes);
            synchronized (telling) {
                if (!ended) {
                    receiver.onMessage(bytes.flip());
                }
            }
        }

        /** Breaks the connection. */
        void end() {
            synchronized (telling) {
                if (!ended) {
                    ended = true;
                    receiver.onClosed(null);
                }
            }
        }

        @Override
        public String peer() {
            return "played";
        }

        /** The receiver is told by another thread. */
        @Override
        public void close() {
            surroundings.execute(this::end);
        }
    }
}
