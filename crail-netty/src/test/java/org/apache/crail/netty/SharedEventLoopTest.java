/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;
import io.netty.util.concurrent.ThreadPerTaskExecutor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.crail.internal.IdleStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who turns the loop, with queues instead of sockets. */
class SharedEventLoopTest {
    private static final int LIMIT_S = 20;
    private static final int MANY = 20_000;
    private static final int OTHERS = 3;
    private static final int ACTIONS = 40;

    private final FakeIo io = new FakeIo();
    private final AtomicReference<Thread> own = new AtomicReference<>();
    private final SharedEventLoop loop = new SharedEventLoop(
            null,
            new ThreadPerTaskExecutor(this::ownThread),
            executor -> io,
            new SpinThenWait(new IdleStrategy(IdleStrategy.Kind.BACKOFF)));
    private final Queue<Request> sending = new ConcurrentLinkedQueue<>();
    private final BlockingQueue<Request> held = new LinkedBlockingQueue<>();
    private volatile Consumer<Request> peer = io::answer;

    private static final class Request extends CompletableFuture<Void> {
        final Thread sender = Thread.currentThread();
        volatile Thread taker;
    }

    private Thread ownThread(Runnable task) {
        Thread thread = new Thread(task, "own");
        thread.setDaemon(true);
        own.set(thread);
        return thread;
    }

    @AfterEach
    void close() {
        boolean hasEnded =
                loop.shutdownGracefully(0, LIMIT_S, TimeUnit.SECONDS).awaitUninterruptibly(LIMIT_S, TimeUnit.SECONDS);
        assertThat(hasEnded).isTrue();
        assertThat(io.overlaps).hasValue(0);
    }

    private Request send(boolean isAwaited) {
        Request request = new Request();
        sending.add(request);
        loop.onRequest(isAwaited);
        if (!loop.runHere(this::drain)) {
            loop.execute(this::drain);
        }
        return request;
    }

    private void drain() {
        for (Request request = sending.poll(); request != null; request = sending.poll()) {
            loop.count(1);
            peer.accept(request);
        }
    }

    private Request ask() throws Exception {
        Request request = send(true);
        loop.advance(request::isDone, Long.MAX_VALUE);
        request.get(LIMIT_S, TimeUnit.SECONDS);
        return request;
    }

    /** Asks until this thread has taken an answer by itself. */
    private void askUntilLent() throws Exception {
        int asked = 0;
        while (ask().taker != Thread.currentThread()) {
            assertThat(asked++).isLessThan(MANY);
        }
    }

    /** Asks until this thread is inside the loop and would sleep there; that request is not answered. */
    private Request askAndBeforeSleeping(Runnable hook) throws Exception {
        Thread asker = Thread.currentThread();
        AtomicInteger calls = new AtomicInteger();
        io.beforeSleep = () -> {
            if (Thread.currentThread() == asker && calls.getAndIncrement() == 0) {
                hook.run();
            }
        };
        Request request = null;
        for (int i = 0; calls.get() == 0; i++) {
            assertThat(i).isLessThan(MANY);
            if (request != null) {
                answerHeld();
                request.get(LIMIT_S, TimeUnit.SECONDS);
            }
            peer = io::answer;
            askUntilLent();
            peer = held::add;
            request = send(true);
            loop.advance(request::isDone, Long.MAX_VALUE);
        }
        return request;
    }

    private void answerHeld() throws InterruptedException {
        Request request = held.poll(LIMIT_S, TimeUnit.SECONDS);
        assertThat(request).isNotNull();
        io.answer(request);
    }

    private static CompletableFuture<Void> elsewhere(Runnable task) {
        return CompletableFuture.runAsync(task, run -> new Thread(run, "elsewhere").start());
    }

    @Test
    void shouldLeaveItToItsThreadWhenASecondRequestGoesOut() throws Exception {
        Request second = new Request();
        Request first = askAndBeforeSleeping(() -> {
            peer = request -> {
                io.answer(held.remove());
                io.answer(request);
            };
            sending.add(second);
            elsewhere(() -> loop.execute(this::drain)).join();
        });

        first.get(LIMIT_S, TimeUnit.SECONDS);
        second.get(LIMIT_S, TimeUnit.SECONDS);

        assertThat(first.taker).isEqualTo(own.get());
        assertThat(second.taker).isEqualTo(own.get());
    }

    @Test
    void shouldEndWithoutSleepingWhenItIsShutDownWhileAThreadIsInside() throws Exception {
        Request unanswered =
                askAndBeforeSleeping(() -> elsewhere(() -> loop.shutdownGracefully(0, LIMIT_S, TimeUnit.SECONDS))
                        .join());

        assertThat(loop.terminationFuture().await(LIMIT_S, TimeUnit.SECONDS)).isTrue();

        assertThat(io.sleepsWhileEnding).hasValue(0);
        assertThat(unanswered).isNotDone();
    }

    @Test
    void shouldLetNobodyInWhoHasNotAsked() throws Exception {
        for (int i = 0; i < 30; i++) {
            peer = io::answer;
            askUntilLent();
            peer = held::add;
            Request request = send(true);
            elsewhere(() -> loop.advance(request::isDone, Long.MAX_VALUE)).get(LIMIT_S, TimeUnit.SECONDS);
            answerHeld();
            request.get(LIMIT_S, TimeUnit.SECONDS);
        }
        assertThat(io.visitors).containsExactlyInAnyOrder(Thread.currentThread(), own.get());
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> void throwAny(Throwable thrown) throws T {
        throw (T) thrown;
    }

    private static List<Throwable> whateverIsThrown() {
        return List.of(
                new OutOfMemoryError("injected"),
                new StackOverflowError("injected"),
                new IllegalStateException("injected"),
                new IOException("injected"));
    }

    @ParameterizedTest
    @MethodSource("whateverIsThrown")
    void shouldGoOnWhateverItsThreadMeets(Throwable thrown) throws Exception {
        send(false).get(LIMIT_S, TimeUnit.SECONDS);
        io.failure.set(thrown);
        send(false).get(LIMIT_S, TimeUnit.SECONDS);
        assertThat(io.failure).hasValue(null);
        askUntilLent();
    }

    @ParameterizedTest
    @MethodSource("whateverIsThrown")
    void shouldGoOnWhateverABorrowerMeets(Throwable thrown) throws Exception {
        Thread asker = Thread.currentThread();
        for (int i = 0; !io.failed.contains(asker); i++) {
            assertThat(i).isLessThan(MANY);
            askUntilLent();
            io.failure.set(thrown);
            assertThat(ask()).isDone();
        }
        askUntilLent();
    }

    /** Whatever they do, an answer is taken by who asked or by the loop's thread, and all is counted. */
    @RepeatedTest(10)
    void shouldStayConsistentWhenManyUseIt(RepetitionInfo repetition) throws Exception {
        Thread answering = new Thread(this::answerLate, "answering");
        answering.start();
        askUntilLent();
        List<Actor> others = new ArrayList<>();
        for (int i = 0; i < OTHERS; i++) {
            others.add(new Actor(repetition.getCurrentRepetition() * OTHERS + i));
        }
        peer = held::add;
        others.forEach(Thread::start);
        Actor here = new Actor(repetition.getCurrentRepetition());
        while (others.stream().anyMatch(Thread::isAlive)) {
            here.requests.add(ask());
        }
        others.add(here);
        for (Actor actor : others) {
            for (Future<?> future : actor.futures) {
                future.get(LIMIT_S, TimeUnit.SECONDS);
            }
            for (Request request : actor.requests) {
                request.get(LIMIT_S, TimeUnit.SECONDS);
                assertThat(request.taker).isIn(request.sender, own.get());
            }
        }
        answering.interrupt();
        answering.join();
        peer = io::answer;
        askUntilLent();
    }

    private void answerLate() {
        Random random = new Random(1);
        try {
            while (true) {
                Request request = held.take();
                if (random.nextInt(4) == 0) {
                    LockSupport.parkNanos(random.nextInt(2_000_000));
                }
                io.answer(request);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the test is over
        }
    }

    /** A thread that does all that threads do, with pauses in which another one has the loop for itself. */
    private final class Actor extends Thread {
        final Queue<Request> requests = new ConcurrentLinkedQueue<>();
        final Queue<Future<?>> futures = new ConcurrentLinkedQueue<>();
        private final Random random;

        Actor(long seed) {
            super("actor-" + seed);
            random = new Random(seed);
        }

        @Override
        public void run() {
            for (int i = 0; i < ACTIONS; i++) {
                LockSupport.parkNanos(random.nextInt(5_000_000));
                act(random.nextInt(7));
            }
        }

        private void act(int choice) {
            switch (choice) {
                case 0 -> request(Long.MAX_VALUE);
                case 1 -> request(TimeUnit.MILLISECONDS.toNanos(3));
                case 2 -> request(0);
                case 3 -> {
                    interrupt();
                    request(Long.MAX_VALUE);
                    boolean ignored = Thread.interrupted();
                }
                case 4 -> requests.add(send(false));
                case 5 -> requests.add(send(true));
                default -> {
                    futures.add(loop.submit(() -> {}));
                    futures.add(loop.schedule(() -> {}, 1, TimeUnit.MILLISECONDS));
                }
            }
        }

        private void request(long limitNs) {
            Request request = send(true);
            requests.add(request);
            loop.advance(request::isDone, limitNs);
        }
    }

    /** Completes requests instead of reading from sockets. */
    private final class FakeIo implements IoHandler {
        final Set<Thread> visitors = ConcurrentHashMap.newKeySet();
        final AtomicInteger overlaps = new AtomicInteger();
        final AtomicInteger sleepsWhileEnding = new AtomicInteger();
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final Set<Thread> failed = ConcurrentHashMap.newKeySet();
        volatile Runnable beforeSleep = () -> {};
        private final AtomicInteger inside = new AtomicInteger();
        private final Queue<Request> answered = new ConcurrentLinkedQueue<>();
        private final Semaphore signal = new Semaphore(0);

        void answer(Request request) {
            answered.add(request);
            signal.release();
        }

        @Override
        public int run(IoHandlerContext context) {
            if (inside.incrementAndGet() != 1) {
                overlaps.incrementAndGet();
            }
            visitors.add(Thread.currentThread());
            Throwable thrown = failure.getAndSet(null);
            if (thrown != null) {
                inside.decrementAndGet();
                failed.add(Thread.currentThread());
                SharedEventLoopTest.<RuntimeException>throwAny(thrown);
            }
            if (answered.isEmpty() && context.canBlock()) {
                sleep(context.delayNanos(System.nanoTime()));
            }
            int taken = 0;
            for (Request request = answered.poll(); request != null; request = answered.poll()) {
                loop.count(-1);
                request.taker = Thread.currentThread();
                request.complete(null);
                taken++;
            }
            inside.decrementAndGet();
            return taken;
        }

        private void sleep(long limitNs) {
            if (loop.isShuttingDown()) {
                sleepsWhileEnding.incrementAndGet();
            }
            beforeSleep.run();
            try {
                if (signal.tryAcquire(limitNs, TimeUnit.NANOSECONDS)) {
                    int ignored = signal.drainPermits();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // as epoll, which leaves it alone
            }
        }

        @Override
        public void wakeup() {
            signal.release();
        }

        @Override
        public IoRegistration register(IoHandle handle) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isCompatible(Class<? extends IoHandle> handleType) {
            return false;
        }
    }
}
