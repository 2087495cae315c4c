/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.internal.IdleStrategy;
import org.apache.crail.netty.LeakGuard;
import org.apache.crail.netty.TcpTierKeys;
import org.apache.crail.rpc.transport.RpcChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Threads that wait for answers over sockets take them by themselves. */
@ExtendWith(LeakGuard.class)
class SharedLoopTest {
    static final int LIMIT_S = 20;
    static final int MANY = 20_000;
    private static final long TIME_NS = TimeUnit.SECONDS.toNanos(2);

    private final IdleStrategy idle = new IdleStrategy(IdleStrategy.Kind.BACKOFF);
    private final TcpNameNode transport = new TcpNameNode();
    private final Answers answers = new Answers();
    private final AtomicLong numbers = new AtomicLong();
    private final AtomicBoolean silent = new AtomicBoolean();
    private final BlockingQueue<Long> arrived = new LinkedBlockingQueue<>();
    private volatile RpcChannel served;
    private RpcChannel channel;
    private InetSocketAddress address;

    /** Completes the future of the message that has come back. */
    private static final class Answers implements RpcChannel.Receiver {
        final Map<Long, Answer> expected = new ConcurrentHashMap<>();
        final CompletableFuture<Void> closed = new CompletableFuture<>();
        volatile Consumer<Runnable> follow = Runnable::run;

        @Override
        public void onMessage(ByteBuffer message) {
            Answer answer = expected.remove(message.getLong());
            answer.taker = Thread.currentThread();
            follow.accept(() -> {
                answer.follower = Thread.currentThread();
                answer.complete(null);
            });
        }

        @Override
        public void onClosed(Throwable cause) {
            closed.complete(null);
            expected.values().forEach(answer -> answer.completeExceptionally(new IllegalStateException("closed")));
        }
    }

    static final class Answer extends CompletableFuture<Void> {
        volatile Thread taker;
        volatile Thread follower;
    }

    /** Chooses the way: TCP. */
    void configure(CrailConfiguration conf) throws IOException {
        conf.set(TcpTierKeys.UNIX_SOCKETS, false);
    }

    /** Sees that a connection goes the way that was chosen, where there are others. */
    void assertWay(TcpRpcServer server) {}

    @BeforeEach
    void connect() throws Exception {
        assumeTrue(Epoll.isAvailable());
        CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        configure(conf);
        transport.init(conf);
        TcpRpcServer server = (TcpRpcServer)
                transport.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), this::echoUnlessSilent);
        address = server.address();
        channel = transport.connect(address, LIMIT_S * 1_000, answers).get(LIMIT_S, TimeUnit.SECONDS);
        answers.follow = channel::follow;
        assertWay(server);
    }

    private RpcChannel.Receiver echoUnlessSilent(RpcChannel accepted) {
        served = accepted;
        return new RpcChannel.Receiver() {
            @Override
            public void onMessage(ByteBuffer message) {
                long number = message.getLong();
                arrived.add(number);
                if (!silent.get()) {
                    accepted.send(new TestMessage(number, 16));
                }
            }

            @Override
            public void onClosed(Throwable cause) {}
        };
    }

    @AfterEach
    void close() {
        transport.close();
    }

    final Answer send(boolean isAwaited) {
        Answer answer = new Answer();
        send(answer, isAwaited);
        return answer;
    }

    private void send(Answer answer, boolean isAwaited) {
        TestMessage message = new TestMessage(numbers.incrementAndGet(), 16);
        answers.expected.put(message.number(), answer);
        if (isAwaited) {
            channel.sendAwaited(message);
        } else {
            channel.send(message);
        }
    }

    private Answer sendWithNext() {
        Answer answer = new Answer();
        TestMessage message = new TestMessage(numbers.incrementAndGet(), 16);
        answers.expected.put(message.number(), answer);
        channel.sendWithNext(message);
        return answer;
    }

    final Answer ask() {
        return ask(new Answer());
    }

    private Answer ask(Answer answer) {
        send(answer, true);
        channel.await(answer::isDone, idle, Long.MAX_VALUE);
        assertThat(answer).succeedsWithin(LIMIT_S, TimeUnit.SECONDS);
        return answer;
    }

    /** Asks until this thread has taken an answer by itself. */
    private void askUntilLent() throws Exception {
        int asked = 0;
        while (ask().taker != Thread.currentThread()) {
            assertThat(asked++).isLessThan(MANY);
        }
    }

    @Test
    void shouldLetTheThreadThatWaitsTakeItsAnswers() throws Exception {
        askUntilLent();
        int inARow = 0;
        int most = 0;
        for (long endNs = System.nanoTime() + TIME_NS; System.nanoTime() < endNs && most < 100; ) {
            inARow = ask().taker == Thread.currentThread() ? inARow + 1 : 0;
            most = Math.max(most, inARow);
        }
        assertThat(most).isGreaterThan(8);
    }

    @Test
    void shouldAnswerWhatNobodyWaitsFor() throws Exception {
        for (int i = 0; i < 5; i++) {
            askUntilLent();
            Answer forgotten = send(true);
            Answer background = send(false);
            forgotten.get(LIMIT_S, TimeUnit.SECONDS);
            background.get(LIMIT_S, TimeUnit.SECONDS);
            askUntilLent();
            send(true).get(LIMIT_S, TimeUnit.SECONDS);
        }
    }

    @Test
    void shouldSendWhatHasTimeWhenNothingElseIsSent() throws Exception {
        sendWithNext().get(LIMIT_S, TimeUnit.SECONDS);
        askUntilLent();
        sendWithNext().get(LIMIT_S, TimeUnit.SECONDS);
        askUntilLent();
    }

    @Test
    void shouldSendWhatHasTimeByTheThreadThatAsksNext() throws Exception {
        boolean hasWaited = false;
        for (int i = 0; i < MANY && !hasWaited; i++) {
            askUntilLent();
            arrived.clear();
            Answer unhurried = sendWithNext();
            ask();
            boolean isWithNext = arrived.size() == 2;
            hasWaited = isWithNext && unhurried.taker == Thread.currentThread();
        }
        assertThat(hasWaited).as("sent by the thread that asked next").isTrue();
    }

    @Test
    void shouldSendOutOfAnAnswerBehindWhatHasTime() throws Exception {
        askUntilLent();
        arrived.clear();
        Answer first = new Answer();
        CompletableFuture<Answer> second = first.thenApply(taken -> {
            Answer ignored = sendWithNext();
            return send(true);
        });
        ask(first);
        second.get(LIMIT_S, TimeUnit.SECONDS).get(LIMIT_S, TimeUnit.SECONDS);
        assertThat(List.copyOf(arrived)).isSorted().hasSize(3);
    }

    @Test
    void shouldSendWhatHasTimeBeforeWhatIsSentLater() throws Exception {
        askUntilLent();
        arrived.clear();
        for (long i = 0; i < 200; i++) {
            Answer unhurried = sendWithNext();
            ask();
            assertThat(unhurried).isDone();
            assertThat(arrived.poll()).isEqualTo(numbers.get() - 1);
            assertThat(arrived.poll()).isEqualTo(numbers.get());
        }
    }

    @Test
    void shouldLetTheThreadThatWaitsTakeItsAnswersBesideWhatHasTime() throws Exception {
        askUntilLent();
        int inARow = 0;
        int most = 0;
        for (long endNs = System.nanoTime() + TIME_NS; System.nanoTime() < endNs && most < 100; ) {
            Answer ignored = sendWithNext();
            inARow = ask().taker == Thread.currentThread() ? inARow + 1 : 0;
            most = Math.max(most, inARow);
        }
        assertThat(most).isGreaterThan(8);
    }

    @Test
    void shouldNeverCompleteInOneThreadWhatAnotherOneAsked() throws Exception {
        Thread main = Thread.currentThread();
        BlockingQueue<Answer> others = new LinkedBlockingQueue<>();
        for (int i = 0; i < 50; i++) {
            askUntilLent();
            CompletableFuture<Void> other =
                    CompletableFuture.runAsync(() -> others.add(send(true)), task -> new Thread(task, "other").start());
            while (!other.isDone()) {
                ask();
            }
            Answer answer = others.poll(LIMIT_S, TimeUnit.SECONDS);
            answer.get(LIMIT_S, TimeUnit.SECONDS);
            assertThat(answer.follower).isNotEqualTo(main);
        }
    }

    /** Whatever they do at the same time, nothing is left lying. */
    @Test
    void shouldAnswerAllWhenManyThreadsSendAndWait() throws Exception {
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Random random = new Random(i);
            threads.add(CompletableFuture.runAsync(() -> act(random), task -> new Thread(task).start()));
        }
        for (CompletableFuture<Void> thread : threads) {
            thread.get(2 * LIMIT_S, TimeUnit.SECONDS);
        }
    }

    private void act(Random random) {
        for (int i = 0; i < 1_000; i++) {
            Answer answer =
                    switch (random.nextInt(4)) {
                        case 0 -> ask();
                        case 1 -> send(false);
                        case 2 -> send(true);
                        default -> sendWithNext();
                    };
            if (random.nextInt(10) == 0) {
                LockSupport.parkNanos(random.nextInt(200_000));
            }
            if (random.nextBoolean()) {
                assertThat(answer).succeedsWithin(LIMIT_S, TimeUnit.SECONDS);
            }
        }
        assertThat(send(false)).succeedsWithin(LIMIT_S, TimeUnit.SECONDS);
    }

    @Test
    void shouldLeaveTheLoopToItsThreadWhenRequestsOverlap() throws Exception {
        for (int i = 0; i < 200; i++) {
            Answer first = send(true);
            Answer second = send(true);
            channel.await(first::isDone, idle, Long.MAX_VALUE);
            first.get(LIMIT_S, TimeUnit.SECONDS);
            second.get(LIMIT_S, TimeUnit.SECONDS);
            assertThat(first.follower).isNotEqualTo(Thread.currentThread());
            assertThat(second.follower).isNotEqualTo(Thread.currentThread());
        }
    }

    @Test
    void shouldRunTheTasksOfOthersWhileLent() throws Exception {
        askUntilLent();
        silent.set(true);
        Answer answer = send(true);
        RecordingReceiver receiver = new RecordingReceiver();
        CompletableFuture<RpcChannel> connecting = transport.connect(address, LIMIT_S * 1_000, receiver);
        channel.await(answer::isDone, idle, Long.MAX_VALUE);
        assertThat(connecting.get(LIMIT_S, TimeUnit.SECONDS).peer()).isNotEmpty();
    }

    @Test
    void shouldReturnAtTheLimitAndTakeTheAnswerLater() throws Exception {
        askUntilLent();
        silent.set(true);
        Answer answer = send(true);
        channel.await(answer::isDone, idle, TimeUnit.MILLISECONDS.toNanos(1));
        channel.await(answer::isDone, idle, Long.MAX_VALUE);
        assertThat(answer).isNotDone();
        served.send(new TestMessage(numbers.get(), 16));
        answer.get(LIMIT_S, TimeUnit.SECONDS);
    }

    @Test
    void shouldReturnWhenInterrupted() throws Exception {
        askUntilLent();
        silent.set(true);
        Answer answer = send(true);
        Thread.currentThread().interrupt();
        channel.await(answer::isDone, idle, Long.MAX_VALUE);
        assertThatThrownBy(() -> answer.get(LIMIT_S, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        silent.set(false);
        ask();
    }

    @Test
    void shouldNoticeTheEndOfTheConnectionInAThreadThatWaits() throws Exception {
        askUntilLent();
        silent.set(true);
        Answer answer = send(true);
        served.close();
        channel.await(answer::isDone, idle, Long.MAX_VALUE);
        assertThatThrownBy(() -> answer.get(LIMIT_S, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class);
        answers.closed.get(LIMIT_S, TimeUnit.SECONDS);
    }

    @Test
    void shouldNoticeTheEndOfAConnectionThatNobodyUses() throws Exception {
        askUntilLent();
        served.close();
        answers.closed.get(LIMIT_S, TimeUnit.SECONDS);
    }

    @Test
    void shouldCloseWhileAThreadWaits() throws Exception {
        askUntilLent();
        silent.set(true);
        Answer answer = send(true);
        CompletableFuture<Void> closing =
                CompletableFuture.runAsync(transport::close, task -> new Thread(task, "closing").start());
        channel.await(answer::isDone, idle, Long.MAX_VALUE);
        assertThatThrownBy(() -> answer.get(LIMIT_S, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class);
        closing.get(LIMIT_S, TimeUnit.SECONDS);
    }

    @Test
    void shouldSendOutOfWhatIsChainedToAnAnswerThatTheCallerTakes() throws Exception {
        Answer first;
        int asked = 0;
        do {
            assertThat(asked++).isLessThan(MANY);
            askUntilLent();
            first = new Answer();
            CompletableFuture<Answer> second = first.thenApply(taken -> send(true));
            ask(first);
            second.get(LIMIT_S, TimeUnit.SECONDS).get(LIMIT_S, TimeUnit.SECONDS);
        } while (first.taker != Thread.currentThread());
        askUntilLent();
    }

    @Test
    void shouldCloseOutOfWhatIsChainedToAnAnswerThatTheCallerTakes() throws Exception {
        Thread here = Thread.currentThread();
        Answer background = send(false);
        background.get(LIMIT_S, TimeUnit.SECONDS);
        Thread own = background.follower;
        AtomicLong waitedNs = new AtomicLong();
        Answer last;
        int asked = 0;
        do {
            assertThat(asked++).isLessThan(MANY);
            Answer answer = new Answer();
            CompletableFuture<Void> closing = answer.thenRun(() -> {
                if (answer.taker == here) {
                    long startNs = System.nanoTime();
                    transport.close();
                    waitedNs.set(System.nanoTime() - startNs);
                }
            });
            last = ask(answer);
            closing.get(LIMIT_S, TimeUnit.SECONDS);
        } while (last.taker != here);
        answers.closed.get(LIMIT_S, TimeUnit.SECONDS);
        own.join(TimeUnit.SECONDS.toMillis(LIMIT_S));
        assertThat(own.isAlive()).isFalse();
        assertThat(waitedNs.get()).isLessThan(TimeUnit.SECONDS.toNanos(4)); // 5 s if it waited for its own end
    }
}
