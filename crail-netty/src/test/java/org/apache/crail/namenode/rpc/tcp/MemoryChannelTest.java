/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import static org.apache.crail.namenode.rpc.tcp.FakeNamenode.CAPACITY;
import static org.apache.crail.namenode.rpc.tcp.FakeNamenode.FROM_CLIENT;
import static org.apache.crail.namenode.rpc.tcp.FakeNamenode.FROM_SERVER;
import static org.apache.crail.namenode.rpc.tcp.FakeNamenode.READER_SLEEPS;
import static org.apache.crail.namenode.rpc.tcp.FakeNamenode.TIMEOUT_MS;
import static org.apache.crail.namenode.rpc.tcp.FakeNamenode.await;
import static org.apache.crail.namenode.rpc.tcp.FakeNamenode.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.Channel;
import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.internal.IdleStrategy;
import org.apache.crail.netty.LeakGuard;
import org.apache.crail.netty.TcpTierKeys;
import org.apache.crail.rpc.transport.RpcChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A client's connection through memory to a namenode that breaks, at each step that it can break at. */
@ExtendWith(LeakGuard.class)
class MemoryChannelTest {
    private static final long LIMIT_NS = TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS);

    @TempDir
    private Path directory;

    private final List<AutoCloseable> closers = new CopyOnWriteArrayList<>();
    private final RecordingReceiver receiver = new RecordingReceiver();
    private FakeNamenode namenode;
    private ByteBuffer memory;
    private RpcChannel channel;

    @BeforeEach
    void connect() throws Exception {
        assumeTrue(Epoll.isAvailable());
        namenode = new FakeNamenode(directory, closers);
        CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        conf.set(TcpTierKeys.UNIX_SOCKET_PATH, directory.toString());
        TcpNameNode transport = new TcpNameNode();
        transport.init(conf);
        closers.add(transport);
        CompletableFuture<RpcChannel> connecting = transport.connect(namenode.address, TIMEOUT_MS, receiver);
        memory = namenode.goOver();
        channel = connecting.get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
        assertThat(channel).isInstanceOf(MemoryChannel.class);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable closer : closers) {
            closer.close();
        }
    }

    private Channel socket() {
        return ((MemoryChannel) channel).channel();
    }

    private void breakSocket() {
        try {
            namenode.client().close();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void assertEnds() {
        assertThat(receiver.awaitClosed()).as("ended with a cause").isTrue();
        assertThat(receiver.closings).hasValue(1);
        assertThat(receiver.violations).hasValue(0);
        assertThat(socket().closeFuture().awaitUninterruptibly(TIMEOUT_MS)).isTrue();
        channel.send(new TestMessage(9, 8)); // goes nowhere, without an error
        channel.await(() -> true, new IdleStrategy(IdleStrategy.Kind.BACKOFF), LIMIT_NS);
    }

    @ParameterizedTest
    @ValueSource(longs = {CAPACITY + 1, Long.MAX_VALUE, -1, Long.MIN_VALUE})
    void shouldEndIfTheNamenodeWritesNonsense(long written) throws Exception {
        memory.putLong(FROM_SERVER, written);
        VarHandle.fullFence();
        wakeUnlessEnded();
        assertEnds();
        assertThat(receiver.messages).isEmpty();
    }

    /** A loop that is awake may have closed the socket before. */
    private void wakeUnlessEnded() throws Exception {
        try {
            namenode.wake();
        } catch (IOException e) {
            assertThat(e.getMessage()).containsAnyOf("reset", "Broken pipe");
        }
    }

    /** When the socket breaks. */
    private enum Moment {
        BEFORE_ANY_MESSAGE {
            @Override
            void happen(MemoryChannelTest test) {
                test.breakSocket();
            }
        },
        WHILE_AN_ANSWER_IS_AWAITED {
            @Override
            void happen(MemoryChannelTest test) {
                test.channel.send(new TestMessage(1, 8));
                test.namenode.awaitSleep();
                test.breakSocket();
            }
        },
        BEFORE_A_MESSAGE_THAT_RINGS {
            @Override
            void happen(MemoryChannelTest test) {
                test.breakSocket();
                test.namenode.fallAsleep();
                test.channel.send(new TestMessage(1, 8));
            }
        },
        BEHIND_A_MESSAGE {
            @Override
            void happen(MemoryChannelTest test) {
                test.channel.send(new TestMessage(1, 8));
                test.breakSocket();
            }
        },
        BEHIND_HALF_AN_ANSWER {
            @Override
            void happen(MemoryChannelTest test) {
                test.channel.send(new TestMessage(1, 8));
                test.namenode.put(new byte[] {0, 0, 0, 9, 1, 2});
                test.breakSocket();
            }
        },
        WHILE_MESSAGES_WAIT_FOR_ROOM {
            @Override
            void happen(MemoryChannelTest test) {
                for (int i = 0; i < 3; i++) {
                    test.channel.send(new TestMessage(i, CAPACITY / 2));
                }
                test.breakSocket();
            }
        },
        WHILE_A_THREAD_WAITS {
            @Override
            void happen(MemoryChannelTest test) {
                test.channel.sendAwaited(new TestMessage(1, 8));
                CompletableFuture<Void> breaking = CompletableFuture.runAsync(test::breakSocket);
                while (!test.receiver.closedWithCause.isDone()) {
                    test.channel.await(
                            test.receiver.closedWithCause::isDone,
                            new IdleStrategy(IdleStrategy.Kind.BACKOFF),
                            LIMIT_NS);
                }
                breaking.join();
            }
        },
        INSIDE_A_MESSAGE {
            @Override
            void happen(MemoryChannelTest test) {
                test.receiver.onNext = () -> {
                    test.breakSocket();
                    test.namenode.fallAsleep();
                    test.channel.send(new TestMessage(2, 8));
                };
                test.namenode.put(frame((byte) 1));
                test.channel.await(
                        () -> !test.receiver.messages.isEmpty(),
                        new IdleStrategy(IdleStrategy.Kind.BUSY_SPIN),
                        LIMIT_NS);
            }
        };

        abstract void happen(MemoryChannelTest test);
    }

    @ParameterizedTest
    @EnumSource
    void shouldEndWhenTheSocketBreaks(Moment moment) {
        moment.happen(this);
        assertEnds();
    }

    /** The event loop is told that the socket is broken while it sends, and must not wait for itself. */
    @Test
    void shouldEndWhenABellCannotBeRungOutOfTheEventLoop() throws Exception {
        channel.send(new TestMessage(1, 8));
        namenode.awaitSleep();
        receiver.onNext = () -> {
            breakSocket();
            namenode.fallAsleep();
            channel.send(new TestMessage(2, 8));
        };
        namenode.put(frame((byte) 1));
        namenode.wake();
        assertThat(receiver.next()).containsExactly(1);
        assertEnds();
    }

    /** The system tells of a reset where a wake-up has not been read. */
    @Test
    void shouldHearWhatWasSentBeforeAReset() throws Exception {
        namenode.fallAsleep();
        channel.send(new TestMessage(3, 8));
        await("a wake-up is sent", () -> memory.getLong(FROM_CLIENT + READER_SLEEPS) == 0);
        namenode.awaitSleep();
        namenode.put(frame((byte) 1, (byte) 2));
        breakSocket();
        assertThat(receiver.next()).containsExactly(1, 2);
        assertEnds();
    }

    @Test
    void shouldRingWhileTheEventLoopIsBusy() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        socket().eventLoop().execute(() -> {
            busy.countDown();
            awaitUninterruptibly(done);
        });
        awaitUninterruptibly(busy);
        namenode.fallAsleep();
        channel.send(new TestMessage(1, 8));
        SocketChannel heard = namenode.client();
        CompletableFuture<Integer> bell = CompletableFuture.supplyAsync(() -> read(heard));
        try {
            assertThat(bell.get(TIMEOUT_MS / 2, TimeUnit.MILLISECONDS)).isEqualTo(1);
        } finally {
            done.countDown();
        }
    }

    private static int read(SocketChannel from) {
        try {
            return from.read(ByteBuffer.allocate(1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        boolean isDown = false;
        try {
            isDown = latch.await(TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        assertThat(isDown).isTrue();
    }

    /** A thread that rings would reach another file of the same number. */
    @Test
    void shouldNotCloseTheSocketWhileAThreadRings() throws Exception {
        Doorbell doorbell = socket().pipeline().get(Doorbell.class);
        assertThat(doorbell.beginRing()).isTrue();
        try {
            channel.close();
            await("it has been ended", doorbell::hasEnded);
            Future<?> behindTheClose = socket().eventLoop().submit(() -> {});
            assertThatThrownBy(() -> behindTheClose.get(100, TimeUnit.MILLISECONDS))
                    .isInstanceOf(TimeoutException.class);
            assertThat(socket().isOpen()).isTrue();
            assertThat(doorbell.beginRing()).as("a further ring").isFalse();
        } finally {
            doorbell.endRing();
        }
        assertThat(socket().closeFuture().awaitUninterruptibly(TIMEOUT_MS)).isTrue();
    }

    @Test
    void shouldEndWithItsTransport() throws Exception {
        closers.get(closers.size() - 1).close();
        assertEnds();
    }
}
