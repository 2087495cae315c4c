/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.CrailPath;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.ClusterMismatchException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.NamenodeUnreachableException;
import org.apache.crail.error.OperationTimeoutException;
import org.apache.crail.error.ProtocolMismatchException;
import org.apache.crail.error.SessionLostException;
import org.apache.crail.internal.BackgroundThreads;
import org.apache.crail.rpc.message.Encodable;
import org.apache.crail.rpc.message.GoodbyeRequest;
import org.apache.crail.rpc.message.HelloRequest;
import org.apache.crail.rpc.message.HelloResponse;
import org.apache.crail.rpc.message.PingRequest;
import org.apache.crail.rpc.message.PingResponse;
import org.apache.crail.rpc.message.RemoveRequest;
import org.apache.crail.rpc.message.RemoveResponse;
import org.apache.crail.rpc.message.RequestFrame;
import org.apache.crail.rpc.message.ResponseFrame;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcServer;
import org.apache.crail.rpc.transport.RpcTransport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sessions with namenodes that behave badly, and with name services that do. */
class SessionKeeperTest {
    private static final InetSocketAddress ADDRESS = InetSocketAddress.createUnresolved("namenode", 1);
    private static final HelloResponse HELLO = new HelloResponse("c", 1, 4096, 0, 1, 1000);

    private final FakeTransport transport = new FakeTransport();
    private NamenodeConnection connection = new NamenodeConnection(transport, () -> ADDRESS, "c", 10_000, 10_000);

    @AfterEach
    void stop() {
        connection.close();
    }

    @Test
    void shouldConnectAnewAfterBytesThatAreNoAnswer() throws Exception {
        CompletableFuture<PingResponse> first = connection.call(new PingRequest(1));
        FakeChannel channel = transport.next();
        channel.greet(HELLO);
        channel.receiver.onMessage(ByteBuffer.allocate(3));
        assertThatThrownBy(first::get).hasCauseInstanceOf(ProtocolMismatchException.class);

        CompletableFuture<PingResponse> second = connection.call(new PingRequest(2));

        FakeChannel another = transport.next();
        another.greet(HELLO);
        another.answerPing();
        assertThat(second.get(10, TimeUnit.SECONDS).number()).isEqualTo(3);
    }

    @Test
    void shouldConnectAnewWhenAChannelNeitherGreetsNorEnds() throws Exception {
        connection.close();
        connection = new NamenodeConnection(transport, () -> ADDRESS, "c", 1_000, 1_000);
        CompletableFuture<PingResponse> first = connection.call(new PingRequest(1));
        transport.next().silent = true;
        assertThatThrownBy(first::get)
                .cause()
                .isInstanceOfAny(OperationTimeoutException.class, NamenodeUnreachableException.class);

        FakeChannel another = null;
        while (another == null) {
            CompletableFuture<PingResponse> ignored = connection.call(new PingRequest(2));
            another = transport.channels.poll(50, TimeUnit.MILLISECONDS);
        }

        another.greet(HELLO);
        assertThat(connection.connect().get(10, TimeUnit.SECONDS)).isEqualTo(HELLO);
    }

    @Test
    void shouldGiveTheFirstConnectionTwiceTheTimeWhenOneAttemptHasTakenIt() {
        long limitMs = 200;
        connection.close();
        connection = new NamenodeConnection(transport, () -> ADDRESS, "c", 10_000, limitMs);
        long startNs = System.nanoTime();

        CompletableFuture<HelloResponse> opened = connection.connect();

        assertThatThrownBy(() -> opened.get(60, TimeUnit.SECONDS))
                .cause()
                .isInstanceOfAny(OperationTimeoutException.class, NamenodeUnreachableException.class);
        assertThat(System.nanoTime() - startNs).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(2 * limitMs));
    }

    @Test
    void shouldConnectAnewWhenANamenodeFellSilentAfterItsGreeting() throws Exception {
        CompletableFuture<HelloResponse> opened = connection.connect();
        transport.next().greet(HELLO);
        assertThat(opened.get(10, TimeUnit.SECONDS)).isEqualTo(HELLO);
        assertThatThrownBy(connection.call(new PingRequest(1), 50)::get)
                .hasCauseInstanceOf(OperationTimeoutException.class)
                .hasMessageContaining("50 ms");

        CompletableFuture<PingResponse> second = connection.call(new PingRequest(2));

        FakeChannel another = transport.next();
        another.greet(HELLO);
        another.answerPing();
        assertThat(second.get(10, TimeUnit.SECONDS).number()).isEqualTo(3);
    }

    @Test
    void shouldRefuseANamenodeThatCameBackWithOtherValues() throws Exception {
        CompletableFuture<HelloResponse> opened = connection.connect();
        FakeChannel channel = transport.next();
        channel.greet(HELLO);
        assertThat(opened.get(10, TimeUnit.SECONDS)).isEqualTo(HELLO);
        channel.close();

        CompletableFuture<PingResponse> call = connection.call(new PingRequest(1));
        transport.next().greet(new HelloResponse("c", 2, 8192, 0, 1, 1000));

        assertThatThrownBy(call::get)
                .hasCauseInstanceOf(ClusterMismatchException.class)
                .hasMessageContaining("crail.blocksize 8192 instead of 4096");
    }

    @Test
    void shouldFailOnlyWhatMayHaveBeenDoneWhenTheNamenodeHasForgottenTheSession() throws Exception {
        CompletableFuture<RemoveResponse> sent = connection.call(new RemoveRequest(CrailPath.parse("/a"), true));
        FakeChannel channel = transport.next();
        HelloRequest before = channel.greet(HELLO);
        assertThat(channel.sent.poll(30, TimeUnit.SECONDS)).isNotNull();
        CompletableFuture<PingResponse> harmless = connection.call(new PingRequest(1));
        channel.close();
        CompletableFuture<RemoveResponse> later = connection.call(new RemoveRequest(CrailPath.parse("/b"), true));
        FakeChannel second = transport.next();
        RequestFrame hello = second.sent.poll(30, TimeUnit.SECONDS);
        assertThat(((HelloRequest) hello.request()).openedAt()).isEqualTo(HELLO.incarnation());
        assertThat(((HelloRequest) hello.request()).clientIdLow()).isEqualTo(before.clientIdLow());
        second.answer(ResponseFrame.failure(hello.requestId(), new SessionLostException("forgotten")));

        assertThatThrownBy(() -> sent.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(SessionLostException.class);
        FakeChannel third = transport.next();
        HelloRequest after = third.greet(HELLO);
        assertThat(after.openedAt()).isEqualTo(HelloRequest.NOWHERE);
        assertThat(after.clientIdLow()).isNotEqualTo(before.clientIdLow());
        third.answerPing();
        assertThat(harmless.get(10, TimeUnit.SECONDS).number()).isEqualTo(2);
        assertThat(third.sent.poll(30, TimeUnit.SECONDS).request()).isInstanceOf(RemoveRequest.class);
        assertThat(later).isNotDone();
    }

    @Test
    void shouldOpenAnotherSessionWhenTheNamenodeTakesItForAnotherClient() throws Exception {
        CompletableFuture<RemoveResponse> sent = connection.call(new RemoveRequest(CrailPath.parse("/a"), true));
        FakeChannel channel = transport.next();
        HelloRequest before = channel.greet(HELLO);
        RequestFrame remove = channel.sent.poll(30, TimeUnit.SECONDS);
        channel.answer(ResponseFrame.failure(remove.requestId(), new SessionLostException("not yours")));
        assertThatThrownBy(() -> sent.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(SessionLostException.class);

        CompletableFuture<PingResponse> next = connection.call(new PingRequest(1));
        FakeChannel another = transport.next();
        assertThat(another.greet(HELLO).clientIdLow()).isNotEqualTo(before.clientIdLow());
        another.answerPing();
        assertThat(next.get(10, TimeUnit.SECONDS).number()).isEqualTo(2);
    }

    @Test
    void shouldTakeCallsThatFollowFromTheLossOfASession() throws Exception {
        CompletableFuture<RemoveResponse> first = connection.call(new RemoveRequest(CrailPath.parse("/a"), true));
        FakeChannel channel = transport.next();
        channel.greet(HELLO);
        RequestFrame remove = channel.sent.poll(30, TimeUnit.SECONDS);
        CompletableFuture<PingResponse> next = connection
                .call(new RemoveRequest(CrailPath.parse("/b"), true))
                .handle((response, failure) -> connection.call(new PingRequest(1)))
                .thenCompose(call -> call);

        channel.answer(ResponseFrame.failure(remove.requestId(), new SessionLostException("not yours")));

        assertThatThrownBy(() -> first.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(SessionLostException.class);
        FakeChannel another = transport.next();
        another.greet(HELLO);
        another.answerPing();
        assertThat(next.get(10, TimeUnit.SECONDS).number()).isEqualTo(2);
    }

    @Test
    void shouldSayGoodbyeWhenItCloses() throws Exception {
        CompletableFuture<HelloResponse> opened = connection.connect();
        FakeChannel channel = transport.next();
        channel.greet(HELLO);
        assertThat(opened.get(10, TimeUnit.SECONDS)).isEqualTo(HELLO);

        connection.close();

        assertThat(channel.sent.poll(30, TimeUnit.SECONDS).request()).isInstanceOf(GoodbyeRequest.class);
    }

    @Test
    void shouldKeepTimeLimitsWhileTheNameServiceHangs() throws Exception {
        CountDownLatch hang = new CountDownLatch(1);
        NamenodeConnection hanging = new NamenodeConnection(
                transport,
                () -> {
                    awaitQuietly(hang);
                    return ADDRESS;
                },
                "c",
                100,
                100);
        try {
            CompletableFuture<PingResponse> call = hanging.call(new PingRequest(1));
            assertThatThrownBy(() -> call.get(60, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOfAny(OperationTimeoutException.class, NamenodeUnreachableException.class);
        } finally {
            hanging.close();
            hang.countDown();
        }
    }

    @Test
    void shouldConnectAnewWhenThereWasNoThreadToConnect() throws Exception {
        AtomicInteger refusals = new AtomicInteger(2);
        NamenodeConnection poor = over(task -> refuse(refusals, task), 10_000);
        try {
            CompletableFuture<PingResponse> call = poor.call(new PingRequest(1));

            FakeChannel channel = transport.next();
            channel.greet(HELLO);
            channel.answerPing();
            assertThat(call.get(10, TimeUnit.SECONDS).number()).isEqualTo(2);
            assertThat(refusals).hasNegativeValue();
        } finally {
            poor.close();
        }
    }

    @Test
    void shouldTellWhyThereIsNoConnectionWithoutThreads() {
        NamenodeConnection poor = over(task -> refuse(new AtomicInteger(1), task), 100);
        try {
            assertThatThrownBy(() -> poor.call(new PingRequest(1)).get(60, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(NamenodeUnreachableException.class)
                    .hasMessageContaining("unable to create native thread");
        } finally {
            poor.close();
        }
    }

    @Test
    void shouldEndCallsAtTheirLimitWhenNoThreadCanBeHad() throws Exception {
        AtomicInteger refusals = new AtomicInteger();
        NamenodeConnection poor = over(task -> refuse(refusals, task), 10_000);
        try {
            CompletableFuture<HelloResponse> opened = poor.connect();
            transport.next().greet(HELLO);
            opened.get(10, TimeUnit.SECONDS);
            refusals.set(Integer.MAX_VALUE);

            for (int i = 0; i < 3; i++) { // the sweep that fails the first one goes on
                assertThatThrownBy(() -> poor.call(new PingRequest(1), 50).get(60, TimeUnit.SECONDS))
                        .cause()
                        .isInstanceOfAny(OperationTimeoutException.class, NamenodeUnreachableException.class);
            }
        } finally {
            poor.close();
        }
    }

    @Test
    void shouldEndLateCallsWhileWhatFollowsOneOfThemHangs() throws Exception {
        CountDownLatch hang = new CountDownLatch(1);
        try {
            CompletableFuture<PingResponse> first = connection.call(new PingRequest(1), 50);
            CompletableFuture<Void> ignored =
                    first.whenComplete((answer, failure) -> awaitQuietly(hang)).thenAccept(answer -> {});
            CompletableFuture<PingResponse> second = connection.call(new PingRequest(2), 50);

            assertThatThrownBy(() -> second.get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(CrailException.class);
        } finally {
            hang.countDown();
        }
    }

    @Test
    void shouldConnectAnewWhenAChannelCannotSendItsGreeting() throws Exception {
        transport.brokenChannels.set(1);
        CompletableFuture<PingResponse> call = connection.call(new PingRequest(1));
        transport.next();

        FakeChannel another = transport.next();
        another.greet(HELLO);
        another.answerPing();
        assertThat(call.get(10, TimeUnit.SECONDS).number()).isEqualTo(2);
    }

    private NamenodeConnection over(Executor threads, long timeoutMs) {
        return new NamenodeConnection(transport, () -> ADDRESS, "c", timeoutMs, 10_000, threads);
    }

    /** As a pool does when the system has no thread for it. */
    private static void refuse(AtomicInteger refusals, Runnable task) {
        if (refusals.getAndDecrement() > 0) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        BackgroundThreads.executor().execute(task);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Hands its channels to the test, which plays the namenode. */
    private static final class FakeTransport implements RpcTransport {
        final BlockingQueue<FakeChannel> channels = new LinkedBlockingQueue<>();
        final AtomicInteger brokenChannels = new AtomicInteger();

        FakeChannel next() throws InterruptedException {
            FakeChannel channel = channels.poll(30, TimeUnit.SECONDS);
            assertThat(channel).isNotNull();
            return channel;
        }

        @Override
        public void init(CrailConfiguration configuration) {}

        @Override
        public CompletableFuture<RpcChannel> connect(
                InetSocketAddress address, int timeoutMs, RpcChannel.Receiver receiver) {
            FakeChannel channel = new FakeChannel(receiver);
            channel.broken = brokenChannels.getAndDecrement() > 0;
            channels.add(channel);
            return CompletableFuture.completedFuture(channel);
        }

        @Override
        public RpcServer listen(InetSocketAddress address, RpcServer.Acceptor acceptor) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }

    private static final class FakeChannel implements RpcChannel {
        final Receiver receiver;
        final BlockingQueue<RequestFrame> sent = new LinkedBlockingQueue<>();
        volatile boolean silent;
        volatile boolean broken;

        FakeChannel(Receiver receiver) {
            this.receiver = receiver;
        }

        HelloRequest greet(HelloResponse response) throws InterruptedException {
            RequestFrame hello = sent.poll(30, TimeUnit.SECONDS);
            assertThat(hello.request()).isInstanceOf(HelloRequest.class);
            answer(ResponseFrame.success(hello.requestId(), response));
            return (HelloRequest) hello.request();
        }

        void answerPing() throws InterruptedException {
            RequestFrame ping = sent.poll(30, TimeUnit.SECONDS);
            answer(ResponseFrame.success(
                    ping.requestId(), new PingResponse(((PingRequest) ping.request()).number() + 1)));
        }

        void answer(ResponseFrame frame) {
            ByteBuffer bytes = ByteBuffer.allocate(frame.encodedLength());
            frame.encode(bytes);
            receiver.onMessage(bytes.flip());
        }

        @Override
        public void send(Encodable message) {
            if (broken) {
                throw new OutOfMemoryError("no direct memory");
            }
            sent.add((RequestFrame) message);
        }

        @Override
        public String peer() {
            return "fake";
        }

        @Override
        public void close() {
            if (!silent) {
                receiver.onClosed(null);
            }
        }
    }
}
