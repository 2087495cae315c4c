/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.internal.IdleStrategy;
import org.apache.crail.netty.LeakGuard;
import org.apache.crail.netty.TcpTierKeys;
import org.apache.crail.rpc.client.NamenodeConnection;
import org.apache.crail.rpc.client.PendingCall;
import org.apache.crail.rpc.message.HelloResponse;
import org.apache.crail.rpc.message.Operation;
import org.apache.crail.rpc.message.PingRequest;
import org.apache.crail.rpc.message.PingResponse;
import org.apache.crail.rpc.message.ResponseFrame;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcServer;
import org.apache.crail.rpc.transport.RpcTransport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Connections to a namenode that break while somebody waits. */
@ExtendWith(LeakGuard.class)
class SharedLoopReconnectTest {
    private static final int LIMIT_S = 20;
    private static final int MANY = 20_000;
    private static final int MOST_LOOPS = 8;
    private static final int THREADS = 4;
    private static final int PINGS = 2_000;
    private static final HelloResponse HELLO = new HelloResponse("c", 1, 4096, 0, 1, 1000);

    private final IdleStrategy idle = new IdleStrategy(IdleStrategy.Kind.BACKOFF);
    private final TcpNameNode sockets = new TcpNameNode();
    private final AtomicBoolean breaks = new AtomicBoolean();
    private final Set<Thread> takers = ConcurrentHashMap.newKeySet();
    private volatile Thread taker;
    private NamenodeConnection connection;

    /** Chooses the way: TCP. */
    void configure(CrailConfiguration conf) throws IOException {
        conf.set(TcpTierKeys.UNIX_SOCKETS, false);
    }

    /** How many threads take answers, at least, while several look for theirs. */
    int leastTakers() {
        return 1;
    }

    /** Sees that a connection goes the way that was chosen, where there are others. */
    void assertWay(TcpRpcServer server) {}

    @BeforeEach
    void connect() throws Exception {
        assumeTrue(Epoll.isAvailable());
        CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        configure(conf);
        sockets.init(conf);
        TcpRpcServer server = (TcpRpcServer)
                sockets.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Namenode::new);
        InetSocketAddress address = server.address();
        connection = new NamenodeConnection(new Watched(), () -> address, "c", LIMIT_S * 1_000, LIMIT_S * 1_000);
        ping();
        assertWay(server);
    }

    @AfterEach
    void close() {
        if (connection != null) {
            connection.close();
        }
        sockets.close();
    }

    private Thread ping() throws Exception {
        CompletableFuture<PingResponse> call = connection.callAwaited(new PingRequest(1));
        connection.await(call::isDone, idle, Long.MAX_VALUE);
        assertThat(call.get(LIMIT_S, TimeUnit.SECONDS).number()).isEqualTo(2);
        return taker;
    }

    private void pingUntilTakenHere() throws Exception {
        int pings = 0;
        while (ping() != Thread.currentThread()) {
            assertThat(pings++).isLessThan(MANY);
        }
    }

    /** More often than there are loops, so that one is used again with what it has counted before. */
    @Test
    void shouldLendAgainAfterAConnectionBrokeWithACallInFlight() throws Exception {
        for (int i = 0; i <= MOST_LOOPS; i++) {
            pingUntilTakenHere();
            breaks.set(true);
            ping();
        }
        pingUntilTakenHere();
    }

    /** Also while threads that look for their answers take those of others. */
    @Test
    void shouldEndCallsInTheThreadThatAskedOrTheLoops() throws Exception {
        Thread own = loopsThread();
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            threads.add(CompletableFuture.runAsync(() -> pingLooking(own), task -> new Thread(task).start()));
        }
        takers.clear();
        for (CompletableFuture<Void> thread : threads) {
            thread.get(LIMIT_S, TimeUnit.SECONDS);
        }
        assertThat(takers).hasSizeGreaterThanOrEqualTo(leastTakers());
    }

    /** Ends calls that nobody awaits; who took the answer may have been another thread. */
    private Thread loopsThread() throws Exception {
        Thread end;
        do {
            end = endOf(connection.call(new PingRequest(1))).get(LIMIT_S, TimeUnit.SECONDS);
        } while (end == Thread.currentThread()); // as the call had ended before
        return end;
    }

    private void pingLooking(Thread own) {
        for (int i = 0; i < PINGS; i++) {
            CompletableFuture<Thread> unawaited = endOf(connection.call(new PingRequest(1)));
            PendingCall<PingResponse> call = connection.callAwaited(new PingRequest(1));
            CompletableFuture<Thread> end = endOf(call);
            assertThat(call.beginWatch()).isTrue();
            connection.await(
                    () -> {
                        call.look();
                        return call.isDone();
                    },
                    idle,
                    Long.MAX_VALUE);
            call.endWatch();
            assertThat(end.join()).isIn(Thread.currentThread(), own);
            assertThat(unawaited.join()).isIn(Thread.currentThread(), own); // here if it had ended before
        }
    }

    private static CompletableFuture<Thread> endOf(CompletableFuture<PingResponse> call) {
        return call.thenApply(answer -> Thread.currentThread());
    }

    /** Answers, or ends the connection instead if {@link #breaks} is set. */
    private final class Namenode implements RpcChannel.Receiver {
        private final RpcChannel channel;

        Namenode(RpcChannel channel) {
            this.channel = channel;
        }

        @Override
        public void onMessage(ByteBuffer message) {
            long id = message.getLong();
            long oldestPending = message.getLong();
            assertThat(oldestPending).isLessThanOrEqualTo(id);
            if (message.getShort() == Operation.HELLO.number()) {
                channel.send(ResponseFrame.success(id, HELLO));
            } else if (breaks.getAndSet(false)) {
                channel.close();
            } else {
                channel.send(ResponseFrame.success(id, new PingResponse(2)));
            }
        }

        @Override
        public void onClosed(Throwable cause) {}
    }

    /** The transport, which shows who does its work. */
    private final class Watched implements RpcTransport {
        @Override
        public void init(CrailConfiguration configuration) {}

        @Override
        public CompletableFuture<RpcChannel> connect(
                InetSocketAddress address, int timeoutMs, RpcChannel.Receiver receiver) {
            return sockets.connect(address, timeoutMs, new RpcChannel.Receiver() {
                @Override
                public void onMessage(ByteBuffer message) {
                    taker = Thread.currentThread();
                    takers.add(taker);
                    receiver.onMessage(message);
                }

                @Override
                public void onClosed(Throwable cause) {
                    receiver.onClosed(cause);
                }
            });
        }

        @Override
        public RpcServer listen(InetSocketAddress address, RpcServer.Acceptor acceptor) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }
}
