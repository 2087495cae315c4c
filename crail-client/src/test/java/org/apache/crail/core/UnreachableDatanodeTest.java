/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailResult;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.error.StorageFailureException;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.Region;
import org.apache.crail.rpc.message.RegisterRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writes whose blocks lie on a datanode that does not answer, while another one does. */
class UnreachableDatanodeTest {
    private static final int BLOCK = TestCluster.BLOCK;
    private static final int SMALL = 512;
    private static final int BAD = 1;
    private static final int GOOD = 2;

    private TestCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = new TestCluster(64, BLOCK, SMALL);
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    private void startAnother() throws Exception {
        cluster.tier.addDatanode(GOOD, 64 * BLOCK);
        DataNodeInfo another = new DataNodeInfo(0, 0, 0, "localhost", GOOD);
        cluster.namenode.register(new RegisterRequest(another, 1, List.of(new Region(0, 0, 64L * BLOCK, 1))));
    }

    private static DatanodeUnreachableException cut() {
        return new DatanodeUnreachableException("the way is cut", null);
    }

    private void cutWritesTo(int datanode) {
        cluster.tier.failAll(
                access -> access.write() && access.block().getDnInfo().getPort() == datanode, cut());
    }

    @Test
    void shouldPutAValueElsewhere() throws Exception {
        startAnother();
        cluster.create("/t", CrailNodeType.TABLE);
        cutWritesTo(BAD);
        for (int i = 0; i < 4; i++) {
            byte[] value = TestCluster.pattern(100, i);
            TestCluster.write(cluster.create("/t/" + i, CrailNodeType.KEYVALUE).asKeyValue(), value);
            assertThat(TestCluster.read(cluster.store.lookup("/t/" + i).get().asKeyValue()))
                    .isEqualTo(value);
        }
    }

    @Test
    void shouldWriteAFileOfManyBlocksElsewhere() throws Exception {
        startAnother();
        cutWritesTo(BAD);
        byte[] bytes = TestCluster.pattern(9 * BLOCK + 10, 1);
        TestCluster.write(cluster.file("/f"), bytes);
        assertThat(TestCluster.read(cluster.lookup("/f"))).isEqualTo(bytes);
        assertThat(cluster.checkBlocks().problems()).isEmpty();
    }

    @Test
    void shouldGrowElsewhere() throws Exception {
        CrailFile file = cluster.file("/f");
        CrailOutputStream out = file.getDirectOutputStream(0);
        byte[] bytes = TestCluster.pattern(3 * BLOCK, 1);
        out.write(TestCluster.buffer(Arrays.copyOf(bytes, 100))).get();
        startAnother();
        cutWritesTo(BAD);
        out.write(TestCluster.buffer(Arrays.copyOfRange(bytes, 100, bytes.length)))
                .get();
        out.close();
        assertThat(TestCluster.read(cluster.lookup("/f"))).isEqualTo(bytes);
    }

    @Test
    void shouldFailInABlockThatHoldsBytesOfTheStream() throws Exception {
        CrailOutputStream out = cluster.file("/f").getDirectOutputStream(0);
        out.write(TestCluster.buffer(TestCluster.pattern(100, 1))).get();
        startAnother();
        cutWritesTo(BAD);
        Future<CrailResult> second = out.write(TestCluster.buffer(TestCluster.pattern(100, 2)));
        assertThatThrownBy(second::get).hasCauseInstanceOf(DatanodeUnreachableException.class);
        assertThatThrownBy(out::close).isInstanceOf(DatanodeUnreachableException.class);
    }

    @Test
    void shouldFailIfThereIsNoOtherDatanode() throws Exception {
        cutWritesTo(BAD);
        CrailOutputStream out = cluster.file("/f").getDirectOutputStream(0);
        Future<CrailResult> write = out.write(TestCluster.buffer(TestCluster.pattern(100, 1)));
        assertThatThrownBy(write::get).hasCauseInstanceOf(DatanodeUnreachableException.class);
        assertThatThrownBy(out::close).isInstanceOf(DatanodeUnreachableException.class);
    }

    @Test
    void shouldWriteAgainWhatEndedWellInABlockThatWasGivenUpMeanwhile() throws Exception {
        CrailOutputStream out = cluster.file("/f").getDirectOutputStream(0);
        startAnother();
        byte[] bytes = TestCluster.pattern(400, 1);
        CompletableFuture<Void> held = cluster.tier.holdWrites();
        cluster.tier.failNext(access -> access.write() && access.offset() % BLOCK % SMALL == 0, cut());
        Future<CrailResult> first = out.write(TestCluster.buffer(Arrays.copyOf(bytes, 200)));
        Future<CrailResult> second = out.write(TestCluster.buffer(Arrays.copyOfRange(bytes, 200, 400)));
        held.complete(null);
        first.get();
        second.get();
        out.close();
        assertThat(TestCluster.read(cluster.lookup("/f"))).isEqualTo(bytes);
    }

    @Test
    void shouldFollowToTheBlockInWhichANeighbourHasWritten() throws Exception {
        CrailOutputStream out = cluster.file("/f").getDirectOutputStream(0);
        startAnother();
        byte[] bytes = TestCluster.pattern(400, 1);
        cluster.tier.failAll(
                access -> access.write() && access.block().getDnInfo().getPort() == BAD,
                new StorageFailureException("its medium is broken"));
        CompletableFuture<Void> heldFirst = cluster.tier.holdWrites();
        Future<CrailResult> first = out.write(TestCluster.buffer(Arrays.copyOf(bytes, 200)));
        CompletableFuture<Void> heldSecond = cluster.tier.holdWrites();
        Future<CrailResult> second = out.write(TestCluster.buffer(Arrays.copyOfRange(bytes, 200, 400)));
        cluster.tier.holdWrites().complete(null);

        heldFirst.complete(null);
        first.get();
        heldSecond.complete(null);
        second.get();
        out.close();

        assertThat(TestCluster.read(cluster.lookup("/f"))).isEqualTo(bytes);
    }

    @Test
    void shouldGoAroundADatanodeThatHasBeenLostSinceItsBlocksWereAskedFor() throws Exception {
        CrailOutputStream out = cluster.file("/f").getDirectOutputStream(0);
        byte[] bytes = TestCluster.pattern(6 * BLOCK, 1);
        startAnother();
        int next = 0;
        for (; next < 2; next++) {
            out.write(TestCluster.buffer(Arrays.copyOfRange(bytes, next * BLOCK, (next + 1) * BLOCK)))
                    .get();
        }
        cluster.loseDatanode();
        cutWritesTo(BAD);
        for (; next < 6; next++) {
            out.write(TestCluster.buffer(Arrays.copyOfRange(bytes, next * BLOCK, (next + 1) * BLOCK)))
                    .get();
        }
        out.close();
        assertThat(cluster.lookup("/f").getCapacity()).isEqualTo(bytes.length);
    }
}
