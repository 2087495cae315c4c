/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import static org.apache.crail.storage.tcp.TierFixture.buffer;
import static org.apache.crail.storage.tcp.TierFixture.failure;
import static org.apache.crail.storage.tcp.TierFixture.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.netty.LeakGuard;
import org.apache.crail.netty.TcpTierKeys;
import org.apache.crail.storage.StorageEndpoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Threads that wait for transfers take them by themselves, and only those. */
@ExtendWith(LeakGuard.class)
class SharedTransferTest {
    private static final int LIMIT_S = 30;
    private static final int MANY = 20_000;
    private static final int LENGTH = 16;
    private static final int LARGE = 512 << 10;

    @TempDir
    private Path dataPath;

    private final AtomicBoolean breaks = new AtomicBoolean();
    private FakeDatanode datanode;
    private TierFixture fixture;
    private TcpStorageClient client;
    private StorageEndpoint endpoint;

    @BeforeEach
    void connect() throws IOException {
        assumeTrue(Epoll.isAvailable());
        fixture = new TierFixture(dataPath, true);
        fixture.conf.set(TcpTierKeys.STORAGE_CLIENT_CORES, 1);
        fixture.conf.set(CrailKeys.CONNECT_TIMEOUT, Duration.ofSeconds(LIMIT_S));
        client = (TcpStorageClient) fixture.client();
        datanode = new FakeDatanode();
        endpoint = client.createEndpoint(info(datanode));
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
        datanode.close();
    }

    private static DataNodeInfo info(FakeDatanode datanode) {
        return new DataNodeInfo(0, 0, 0, "127.0.0.1", datanode.port());
    }

    private static BlockInfo block() {
        return new BlockInfo(new DataNodeInfo(0, 0, 0, "127.0.0.1", 1), 0, 0, LARGE, 1, 1);
    }

    private static CompletableFuture<Integer> read(StorageEndpoint from, int length) {
        try {
            return from.read(buffer(length), block(), 0);
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Answers reads of one length until the client goes; ends the connection instead if {@link #breaks} is set. */
    private void serve(int length) {
        elsewhere(() -> {
            try {
                datanode.accept();
                datanode.welcome();
                while (true) {
                    long id = datanode.receiveRequest();
                    if (breaks.getAndSet(false)) {
                        datanode.endConnection();
                        datanode.accept();
                        datanode.welcome();
                    } else {
                        datanode.sendHead(id, TransferProtocol.OK, length);
                        datanode.send(new byte[length]);
                    }
                }
            } catch (IOException e) {
                return; // the client has gone
            }
        });
    }

    private static CompletableFuture<Void> elsewhere(Runnable task) {
        return CompletableFuture.runAsync(task, run -> {
            Thread thread = new Thread(run, "elsewhere");
            thread.setDaemon(true);
            thread.start();
        });
    }

    /** Whether this thread, while it waited, did the work that completed a transfer. */
    private boolean isTakenHere(int length) throws Exception {
        return isTakenHere(length, Function.identity());
    }

    private boolean isTakenHere(int length, Function<CompletableFuture<Integer>, CompletableFuture<Integer>> chain)
            throws Exception {
        Thread here = Thread.currentThread();
        AtomicBoolean taken = new AtomicBoolean();
        CompletableFuture<Integer> first = read(endpoint, length);
        CompletableFuture<Integer> last = chain.apply(first);
        CompletableFuture<Integer> ignored = first.whenComplete((number, failure) -> {
            // What is chained runs here, too, when the loop's thread was faster, but then not inside the loop.
            taken.set(Thread.currentThread() == here && client.loops.isInside());
        });
        assertThat(get(first)).isEqualTo(length);
        assertThat(get(last)).isEqualTo(length);
        return taken.get();
    }

    private void readUntilTakenHere() throws Exception {
        int reads = 0;
        while (!isTakenHere(LENGTH)) {
            assertThat(reads++).isLessThan(MANY);
        }
    }

    @Test
    void shouldNotLendWhileATransferWaitsForItsConnection() throws Exception {
        serve(LENGTH);
        try (FakeDatanode mute = new FakeDatanode()) {
            StorageEndpoint other = client.createEndpoint(info(mute));
            readUntilTakenHere();
            CompletableFuture<Thread> failing = new CompletableFuture<>();
            elsewhere(() -> {
                        CompletableFuture<Integer> ignored = read(other, LENGTH)
                                .whenComplete((number, failure) -> failing.complete(Thread.currentThread()));
                    })
                    .get(LIMIT_S, TimeUnit.SECONDS);
            mute.accept();
            for (int i = 0; i < 100; i++) {
                assertThat(isTakenHere(LENGTH)).isFalse();
            }

            mute.endConnection();
            while (!failing.isDone()) {
                boolean ignored = isTakenHere(LENGTH);
            }

            assertThat(failing.join()).isNotEqualTo(Thread.currentThread());
            readUntilTakenHere();
        }
    }

    @Test
    void shouldLendAgainAfterAConnectionEndedWithATransferInFlight() throws Exception {
        serve(LENGTH);
        readUntilTakenHere();
        breaks.set(true);
        assertThat(failure(read(endpoint, LENGTH))).isInstanceOf(DatanodeUnreachableException.class);
        readUntilTakenHere();
    }

    @Test
    void shouldLeaveLargeTransfersToTheLoopsThread() throws Exception {
        serve(LARGE);
        for (int i = 0; i < 50; i++) {
            assertThat(isTakenHere(LARGE)).isFalse();
        }
    }

    @Test
    void shouldReadOutOfWhatIsChainedToATransferThatTheCallerTakes() throws Exception {
        serve(LENGTH);
        int reads = 0;
        while (!isTakenHere(LENGTH, first -> first.thenCompose(number -> read(endpoint, LENGTH)))) {
            assertThat(reads++).isLessThan(MANY);
            readUntilTakenHere();
        }
        readUntilTakenHere();
    }
}
