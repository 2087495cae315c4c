/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailBufferedInputStream;
import org.apache.crail.CrailBufferedOutputStream;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.core.block.TransferCounters;
import org.apache.crail.error.NoFreeBlocksException;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.error.StorageFailureException;
import org.apache.crail.error.TokenMismatchException;
import org.apache.crail.internal.NearStream;
import org.apache.crail.rpc.message.Operation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Copies between arrays and blocks that are mapped, and what becomes of them when something is wrong. */
class NearStreamTest {
    private static final int BLOCK = TestCluster.BLOCK;
    private static final int BLOCKS = 64;

    private TestCluster cluster;
    private TransferCounters transfers;

    @BeforeEach
    void start() throws Exception {
        cluster = new TestCluster(BLOCKS);
        cluster.tier.mapped = block -> true;
        transfers = cluster.store.transfers();
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    private static void write(CrailFile file, byte[] bytes) throws Exception {
        try (CrailBufferedOutputStream out = file.getBufferedOutputStream(0)) {
            out.write(bytes);
        }
    }

    private static byte[] read(CrailFile file) throws Exception {
        try (CrailBufferedInputStream in = file.getBufferedInputStream(0)) {
            byte[] bytes = new byte[(int) file.getCapacity()];
            assertThat(in.read(bytes)).isEqualTo(bytes.length);
            return bytes;
        }
    }

    private static CrailOutputStream output(CrailFile file) throws Exception {
        return file.getDirectOutputStream(0);
    }

    private static int copy(Object stream, byte[] bytes) throws IOException {
        return ((NearStream) stream).copy(ByteBuffer.wrap(bytes));
    }

    @Test
    void shouldCopyEachByteOfSeveralBlocksOnce() throws Exception {
        byte[] bytes = TestCluster.pattern(5 * BLOCK + 100, 1);
        write(cluster.file("/f"), bytes);
        assertThat(cluster.tier.copies).hasSize(6);
        assertThat(transfers.bytesWritten()).isEqualTo(bytes.length);

        assertThat(read(cluster.lookup("/f"))).isEqualTo(bytes);
        assertThat(cluster.tier.copies).hasSize(12);
        assertThat(transfers.bytesRead()).isEqualTo(bytes.length);
        assertThat(transfers.reads()).isEqualTo(6);
    }

    @Test
    void shouldBeginAndEndInsideBlocks() throws Exception {
        byte[] bytes = TestCluster.pattern(4 * BLOCK, 1);
        CrailOutputStream out = output(cluster.file("/f"));
        int position = 0;
        for (int length : new int[] {10, 2 * BLOCK, 1, 2 * BLOCK - 11}) {
            assertThat(copy(out, Arrays.copyOfRange(bytes, position, position + length)))
                    .isEqualTo(length);
            position += length;
            assertThat(out.position()).isEqualTo(position);
        }
        out.close();
        assertThat(read(cluster.lookup("/f"))).isEqualTo(bytes);
    }

    @Test
    void shouldAskForTheBlocksOfALongReadInBatches() throws Exception {
        byte[] bytes = TestCluster.pattern(40 * BLOCK, 1);
        write(cluster.file("/f"), bytes);
        CoreDataStore reader = cluster.newStore();
        assertThat(read(reader.lookup("/f").get().asFile())).isEqualTo(bytes);
        assertThat(reader.metadataCalls().calls(Operation.MAP)).isLessThanOrEqualTo(2);
        assertThat(cluster.tier.copies).hasSize(80);
    }

    @Test
    void shouldShowWhatWasCopiedAfterASync() throws Exception {
        CrailFile file = cluster.file("/f");
        CrailOutputStream out = output(file);
        assertThat(copy(out, TestCluster.pattern(2 * BLOCK, 1))).isEqualTo(2 * BLOCK);
        assertThat(file.getCapacity()).isEqualTo(2 * BLOCK);
        assertThat(cluster.newStore().lookup("/f").get().asFile().getCapacity()).isZero();
        out.sync().get();
        assertThat(cluster.newStore().lookup("/f").get().asFile().getCapacity()).isEqualTo(2 * BLOCK);
        out.close();
    }

    /** A write that is held back keeps the file from growing, and one that fails ends it. */
    @Test
    void shouldNotGrowOverAWriteThatFails() throws Exception {
        CrailFile file = cluster.file("/f");
        file.syncDir();
        CrailOutputStream out = output(file);
        cluster.tier.failNext(access -> access.length() == 100, new StorageFailureException("broken"));
        var held = cluster.tier.hold();
        var failing = out.write(TestCluster.buffer(TestCluster.pattern(100, 1)));
        cluster.tier.copies.clear();
        assertThat(copy(out, TestCluster.pattern(BLOCK + 1, 2))).isEqualTo(BLOCK + 1);
        assertThat(cluster.tier.copies).hasSize(2);
        assertThat(file.getCapacity()).isZero();
        held.complete(null);
        assertThatThrownBy(failing::get).hasCauseInstanceOf(StorageFailureException.class);
        assertThatThrownBy(() -> copy(out, new byte[BLOCK])).isInstanceOf(StorageFailureException.class);
        assertThatThrownBy(out::close).isInstanceOf(StorageFailureException.class);
        assertThat(cluster.lookup("/f").getCapacity()).isZero();
    }

    /**
     * The lease is looked at again after the copy; the transfer that follows finds the block that is the node's by
     * then.
     */
    @Test
    void shouldNotCountACopyThatOutlastedItsLease() throws Exception {
        byte[] bytes = TestCluster.pattern(BLOCK, 1);
        write(cluster.file("/f"), bytes);
        CrailFile file = cluster.lookup("/f");
        cluster.tier.onCopied = () -> {
            cluster.tier.onCopied = () -> {};
            pass(TestCluster.TOKEN_MS / 2);
        };
        long readsBefore = transfers.reads();
        long mapsBefore = cluster.store.metadataCalls().calls(Operation.MAP);
        assertThat(read(file)).isEqualTo(bytes);
        assertThat(transfers.reads() - readsBefore).isEqualTo(2);
        assertThat(cluster.store.metadataCalls().calls(Operation.MAP) - mapsBefore)
                .isEqualTo(1);
    }

    private void pass(long ms) {
        try {
            cluster.pass(ms);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldNotCountAWriteWhoseTokenIsLostMeanwhile() throws Exception {
        CrailFile file = cluster.file("/f");
        CrailOutputStream out = output(file);
        cluster.tier.onCopied = () -> {
            cluster.tier.onCopied = () -> {};
            takeOver();
        };
        assertThat(copy(out, TestCluster.pattern(BLOCK, 1))).isZero();
        assertThat(out.position()).isZero();
        assertThatThrownBy(() -> out.write(TestCluster.buffer(TestCluster.pattern(BLOCK, 1)))
                        .get())
                .hasCauseInstanceOf(TokenMismatchException.class);
        assertThatThrownBy(out::close).isInstanceOf(TokenMismatchException.class);
        assertThat(cluster.lookup("/f").getCapacity()).isZero();
    }

    private void takeOver() {
        try {
            cluster.pass(TestCluster.TOKEN_MS + 1);
            cluster.newStore().lookup("/f").get().asFile().openForAppend(0).close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldTransferWhatCouldNotBeCopied() throws Exception {
        byte[] bytes = TestCluster.pattern(4 * BLOCK, 1);
        CrailFile file = cluster.file("/f");
        file.syncDir();
        cluster.tier.failNext(access -> true, new StaleBlockException("given to another node"));
        write(file, bytes);
        assertThat(cluster.tier.copies).hasSize(3);

        cluster.tier.failNext(access -> true, new StaleBlockException("given to another node"));
        assertThat(read(cluster.lookup("/f"))).isEqualTo(bytes);
        assertThat(cluster.tier.copies).hasSize(6);
    }

    @Test
    void shouldTellThatThereIsNoBlockAsAnyWriteDoes() throws Exception {
        CrailBufferedOutputStream out = cluster.file("/f").getBufferedOutputStream(0);
        assertThatThrownBy(() -> {
                    out.write(new byte[BLOCKS * BLOCK + 1]);
                    out.sync().get();
                })
                .isInstanceOf(NoFreeBlocksException.class);
        assertThatThrownBy(out::close).isInstanceOf(NoFreeBlocksException.class);
        assertThat(cluster.lookup("/f").getCapacity()).isPositive();
        assertThat(cluster.checkBlocks().problems()).isEmpty();
    }

    @Test
    void shouldTransferWhereNothingIsMapped() throws Exception {
        cluster.tier.mapped = block -> false;
        byte[] bytes = TestCluster.pattern(3 * BLOCK, 1);
        write(cluster.file("/f"), bytes);
        assertThat(read(cluster.lookup("/f"))).isEqualTo(bytes);
        assertThat(cluster.tier.copies).isEmpty();
    }

    /** Slices are smaller than the part of a block that a small value has, so that only the stream can know better. */
    @Test
    void shouldCopyIntoAPartAndWhenTheValueHasOutgrownIt() throws Exception {
        cluster.close();
        cluster = new TestCluster(BLOCKS, BLOCK, 1024);
        cluster.tier.mapped = block -> true;
        CrailConfiguration conf = TestCluster.clientConfiguration();
        conf.set("crail.slicesize", "512");
        CoreDataStore store = cluster.newStore(conf);
        byte[] bytes = TestCluster.pattern(1024 + 4 * BLOCK, 1);
        cluster.create("/t", CrailNodeType.TABLE);
        CrailFile value =
                TestCluster.create(store, "/t/k", CrailNodeType.KEYVALUE).asKeyValue();
        try (CrailBufferedOutputStream out = value.getBufferedOutputStream(0)) {
            out.write(bytes, 0, 512);
            out.write(bytes, 512, 512);
            out.write(bytes, 1024, 4 * BLOCK);
        }
        assertThat(cluster.tier.copies.stream().mapToInt(HeapTier.Access::length))
                .startsWith(512, 512)
                .endsWith(BLOCK, BLOCK, BLOCK, 1024);
        assertThat(read(store.lookup("/t/k").get().asKeyValue())).isEqualTo(bytes);
        assertThat(cluster.checkBlocks().problems()).isEmpty();
    }

    /** A block whose region is not mapped, or not yet, has to be transferred; what is behind it is copied again. */
    @Test
    void shouldStopAtABlockThatIsNotMappedAndGoOnBehindIt() throws Exception {
        byte[] bytes = TestCluster.pattern(3 * BLOCK, 1);
        List<Long> met = new CopyOnWriteArrayList<>();
        cluster.tier.mapped = block -> {
            if (!met.contains(block.getAddr())) {
                met.add(block.getAddr());
            }
            return met.indexOf(block.getAddr()) != 1;
        };
        CrailOutputStream out = cluster.file("/f").getDirectOutputStream(bytes.length);
        ByteBuffer source = ByteBuffer.wrap(bytes);
        assertThat(((NearStream) out).copy(source)).isEqualTo(BLOCK);
        assertThat(source.position()).isEqualTo(BLOCK);
        assertThat(source.limit()).isEqualTo(bytes.length);
        assertThat(((NearStream) out).isNear()).isFalse();
        out.write(TestCluster.buffer(Arrays.copyOfRange(bytes, BLOCK, 2 * BLOCK)))
                .get();
        assertThat(((NearStream) out).copy(source.position(2 * BLOCK))).isEqualTo(BLOCK);
        out.close();
        assertThat(cluster.tier.copies).hasSize(2);

        CrailInputStream in = cluster.lookup("/f").getDirectInputStream(0);
        ByteBuffer target = ByteBuffer.allocate(3 * BLOCK);
        assertThat(((NearStream) in).copy(target)).isEqualTo(BLOCK);
        assertThat(target.position()).isEqualTo(BLOCK);
        CrailBuffer space = TestCluster.space(BLOCK);
        in.read(space).get();
        space.flip();
        space.get(target.array(), BLOCK, BLOCK);
        assertThat(((NearStream) in).copy(target.position(2 * BLOCK))).isEqualTo(BLOCK);
        in.close();
        assertThat(target.array()).isEqualTo(bytes);
        assertThat(cluster.tier.copies).hasSize(4);
        assertThat(read(cluster.lookup("/f"))).isEqualTo(bytes);
    }

    @Test
    void shouldAskForNoMoreBlocksThanItFills() throws Exception {
        CrailFile file = cluster.file("/f");
        file.syncDir();
        long before = cluster.checkBlocks().allocated();
        CrailOutputStream out = output(file);
        assertThat(copy(out, new byte[10])).isEqualTo(10);
        assertThat(copy(out, new byte[2 * BLOCK]))
                .isEqualTo(2 * BLOCK); // ends in the third block; the node was made with one
        assertThat(cluster.checkBlocks().allocated() - before).isEqualTo(2);
        out.close();
    }

    /** So the answer comes during the copy, two blocks before it is needed. */
    @Test
    void shouldAskForFurtherBlocksBeforeItCopies() throws Exception {
        CrailOutputStream out = output(cluster.file("/f"));
        assertThat(copy(out, new byte[4 * BLOCK])).isEqualTo(4 * BLOCK); // and two more blocks are known
        long before = cluster.store.metadataCalls().calls(Operation.MAP);
        List<Long> asked = new CopyOnWriteArrayList<>();
        cluster.tier.onCopied = () -> asked.add(cluster.store.metadataCalls().calls(Operation.MAP) - before);
        assertThat(copy(out, new byte[BLOCK])).isEqualTo(BLOCK);
        assertThat(asked).containsExactly(1L);
        out.close();
    }

    /** Each request may take its time limit to fail. */
    @Test
    void shouldLeaveTheNextRequestToTransfersWhenTheNamenodeHasNotToldABlock() throws Exception {
        CrailFile file = cluster.file("/f");
        file.syncDir();
        CrailOutputStream out = output(file);
        assertThat(copy(out, new byte[BLOCK])).isEqualTo(BLOCK);
        CrailFile other = cluster.file("/other");
        other.syncDir();
        long free = BLOCKS - cluster.checkBlocks().allocated();
        TestCluster.write(other, new byte[(int) free * BLOCK + BLOCK]);

        long before = cluster.store.metadataCalls().calls(Operation.MAP);
        assertThat(((NearStream) out).isNear()).isTrue();
        assertThat(copy(out, new byte[BLOCK])).isZero();
        assertThat(((NearStream) out).isNear()).isFalse();
        assertThat(copy(out, new byte[BLOCK])).isZero();
        assertThat(cluster.store.metadataCalls().calls(Operation.MAP) - before).isEqualTo(1);
        assertThatThrownBy(() -> out.write(TestCluster.buffer(new byte[BLOCK])).get())
                .hasCauseInstanceOf(NoFreeBlocksException.class);
        assertThatThrownBy(out::close).isInstanceOf(NoFreeBlocksException.class);
    }

    @Test
    void shouldRefuseClosedStreams() throws Exception {
        CrailFile file = cluster.file("/f");
        write(file, new byte[BLOCK]);
        var in = file.getDirectInputStream(0);
        in.close();
        assertThatThrownBy(() -> copy(in, new byte[BLOCK])).hasMessageContaining("closed");
        CrailOutputStream out = cluster.lookup("/f").openForAppend(0);
        out.close();
        assertThatThrownBy(() -> copy(out, new byte[BLOCK])).hasMessageContaining("closed");
    }
}
