/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import static org.apache.crail.core.LocalCluster.BLOCK;
import static org.apache.crail.core.LocalCluster.TOKEN_MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.crail.CrailResult;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.core.HeldTier.Transfer;
import org.apache.crail.core.block.EndpointCache;
import org.apache.crail.core.block.LeasedBlock;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.StorageFailureException;
import org.apache.crail.error.TokenTakenException;
import org.apache.crail.interleaving.Interleavings;
import org.apache.crail.interleaving.Threads;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.rpc.message.SyncRequest.End;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams that are closed while their transfers end, their tokens are renewed, and others look at their files. */
@Tag("fray")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class StreamInterleavingTest {
    private static final int TIMES = 1_000;
    private static final int TIMES_WITH_A_STORE = 300;
    private static final int LENGTH = 100;

    /** So old a token is renewed. */
    private static final long RENEWAL_MS = TOKEN_MS / 6;

    private static CoreOutputStream open(LocalCluster cluster) throws Exception {
        return (CoreOutputStream) cluster.file.getDirectOutputStream(0);
    }

    private static void assertThatItFailsToClose(CoreOutputStream out) {
        assertThatThrownBy(out::close).isInstanceOf(StorageFailureException.class);
    }

    @Test
    void shouldTellAllWhoCloseOfATransferThatFails() {
        Interleavings.explore(TIMES_WITH_A_STORE, LocalCluster::new, cluster -> {
            CoreOutputStream out = open(cluster);
            cluster.tier.hold();
            Future<CrailResult> first = out.write(LocalCluster.bytes(BLOCK));
            Transfer one = cluster.tier.transfer(0);
            Future<CrailResult> second = out.write(LocalCluster.bytes(LENGTH));
            Transfer other = cluster.tier.transfer(1);
            new Threads()
                    .add("first transfer", one::succeed)
                    .add("second transfer", () -> other.fail(new StorageFailureException("broken")))
                    .add("owner", () -> assertThatItFailsToClose(out))
                    .add("other", () -> assertThatItFailsToClose(out))
                    .add("renewal", () -> cluster.surroundings.pass(RENEWAL_MS))
                    .run();
            cluster.store.ping(); // behind the renewal
            assertThat(first.get().getLen()).isEqualTo(BLOCK);
            assertThatThrownBy(second::get).hasCauseInstanceOf(StorageFailureException.class);
            assertThat(cluster.ends()).hasSize(1);
            assertThat(cluster.ends().get(0).end()).isEqualTo(End.DOUBTFUL);
            assertThat(cluster.known().getCapacity()).isEqualTo(BLOCK);
            assertThatThrownBy(cluster::takeToken).isInstanceOf(TokenTakenException.class);
            cluster.surroundings.pass(TOKEN_MS);
            cluster.takeToken();
        });
    }

    @Test
    void shouldTellOfEachWriteThatWasTakenBeforeTheClose() {
        Interleavings.explore(TIMES_WITH_A_STORE, LocalCluster::new, cluster -> {
            CoreOutputStream out = open(cluster);
            AtomicReference<Future<CrailResult>> taken = new AtomicReference<>();
            new Threads()
                    .add("writer", () -> taken.set(writeUnlessClosed(out)))
                    .add("store", cluster.store::close)
                    .run();
            Future<CrailResult> write = taken.get();
            if (write != null) {
                assertThat(write.get().getLen()).isEqualTo(LENGTH);
            }
            assertThat(cluster.known().getCapacity()).isEqualTo(write == null ? 0 : LENGTH);
            cluster.takeToken();
        });
    }

    private static Future<CrailResult> writeUnlessClosed(CoreOutputStream out) throws Exception {
        try {
            return out.write(LocalCluster.bytes(LENGTH));
        } catch (ClosedException e) {
            return null;
        }
    }

    @Test
    void shouldCloseAStreamWholeWhileItsStoreIsClosed() {
        Interleavings.explore(TIMES_WITH_A_STORE, LocalCluster::new, cluster -> {
            CoreOutputStream out = open(cluster);
            cluster.tier.hold();
            Future<CrailResult> write = out.write(LocalCluster.bytes(LENGTH));
            new Threads()
                    .add("transfer", cluster.tier.transfer(0)::succeed)
                    .add("owner", out::close)
                    .add("store", cluster.store::close)
                    .run();
            assertThat(write.get().getLen()).isEqualTo(LENGTH);
            assertThat(cluster.ends()).hasSize(1);
            assertThat(cluster.known().getCapacity()).isEqualTo(LENGTH);
            cluster.takeToken();
        });
    }

    /**
     * Bytes that can be read through a file while they are written can be read when they have been confirmed, and in
     * between.
     */
    @Test
    void shouldShowWhatWasWrittenWhileAStreamIsClosed() {
        Interleavings.explore(TIMES_WITH_A_STORE, LocalCluster::new, cluster -> {
            CoreOutputStream out = open(cluster);
            out.write(LocalCluster.bytes(LENGTH)).get();
            new Threads()
                    .add("owner", out::close)
                    .add("reader", () -> {
                        for (int i = 0; i < 3; i++) {
                            assertThat(cluster.file.getCapacity()).isEqualTo(LENGTH);
                        }
                    })
                    .run();
        });
    }

    @Test
    void shouldGrowWhileWritesEndInAnyOrder() {
        Interleavings.explore(TIMES, () -> {
            AtomicLong told = new AtomicLong();
            WriteProgress progress = new WriteProgress(0, told::set);
            List<WriteProgress.Write> writes = List.of(progress.begin(10), progress.begin(20), progress.begin(30));
            CompletableFuture<Void> all = progress.reached(30);
            AtomicReference<CompletableFuture<Void>> two = new AtomicReference<>();
            new Threads()
                    .add("first", () -> progress.end(writes.get(0), null))
                    .add("second", () -> progress.end(writes.get(1), null))
                    .add("third", () -> progress.end(writes.get(2), new StorageFailureException("broken")))
                    .add("sync", () -> two.set(progress.reached(20)))
                    .run();
            assertThat(told).hasValue(20);
            assertThat(progress.capacity()).isEqualTo(20);
            assertThat(two.get()).isCompletedWithValue(null);
            assertThat(all).isCompletedExceptionally();
        });
    }

    @Test
    void shouldCloseEachEndpointOfAStoreThatIsClosed() {
        Interleavings.explore(TIMES, () -> {
            HeldTier tier = new HeldTier();
            EndpointCache endpoints =
                    EndpointCache.create(CrailConfiguration.createEmptyConfiguration(), List.of(tier), null);
            new Threads()
                    .add("first", () -> useUnlessClosed(endpoints, 1))
                    .add("same", () -> useUnlessClosed(endpoints, 1))
                    .add("other", () -> useUnlessClosed(endpoints, 2))
                    .add("close", endpoints::close)
                    .run();
            tier.assertThatAllAreClosed();
            assertThat(tier.endpoints()).isLessThanOrEqualTo(2);
        });
    }

    private static void useUnlessClosed(EndpointCache endpoints, int port) throws CrailException {
        DataNodeInfo datanode = new DataNodeInfo(0, 0, 0, "localhost", port);
        try {
            assertThat(endpoints.endpoint(new LeasedBlock(0, new BlockInfo(datanode, 0, 0, BLOCK, 1), Long.MAX_VALUE)))
                    .isNotNull();
        } catch (ClosedException e) {
            assertThat(e).hasMessageContaining("closed");
        }
    }
}
