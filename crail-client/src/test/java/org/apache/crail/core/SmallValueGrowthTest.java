/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailResult;
import org.apache.crail.error.NoFreeBlocksException;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.error.StorageFailureException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Values that outgrow their part of a shared block while other writes to it are under way. */
class SmallValueGrowthTest {
    private static final int PART = 4096;
    private static final byte[] ALL = TestCluster.pattern(3 * PART, 7);

    private TestCluster cluster;
    private CrailFile value;
    private CrailOutputStream out;

    @BeforeEach
    void openAValue() throws Exception {
        cluster = new TestCluster(8, 4 * PART, PART);
        cluster.create("/t", CrailNodeType.TABLE);
        value = cluster.create("/t/v", CrailNodeType.KEYVALUE).asKeyValue();
        out = value.getDirectOutputStream(0);
    }

    @AfterEach
    void stop() throws Exception {
        assertThat(cluster.checkBlocks().problems()).isEmpty();
        cluster.close();
    }

    private Future<CrailResult> write(int from, int end) throws Exception {
        return out.write(TestCluster.buffer(Arrays.copyOfRange(ALL, from, end)));
    }

    private void assertHolds(int length) throws Exception {
        CrailFile found = cluster.store.lookup("/t/v").get().asKeyValue();
        assertThat(TestCluster.read(found)).isEqualTo(Arrays.copyOf(ALL, length));
    }

    @Test
    void shouldKeepAWriteThatHasToBeRepeatedWhileTheValueGrows() throws Exception {
        CompletableFuture<Void> held = cluster.tier.hold();
        Future<CrailResult> first = write(0, 100);
        cluster.tier.failNext(
                access -> access.write() && access.length() == 100,
                new StaleBlockException("a neighbour's part was given out anew"));
        Future<CrailResult> second = write(100, 2 * PART);
        cluster.transport.settle();
        held.complete(null);
        first.get();
        second.get();
        out.close();
        assertHolds(2 * PART);
    }

    @Test
    void shouldKeepWritesThatWaitForALocationWhenTheValueGrows() throws Exception {
        cluster.pass(TestCluster.TOKEN_MS - 1_000); // beyond the lease of the location
        Future<CrailResult> first = write(0, 100);
        Future<CrailResult> second = write(100, 300);
        Future<CrailResult> third = write(300, 3 * PART);
        first.get();
        second.get();
        third.get();
        out.close();
        assertHolds(3 * PART);
    }

    @Test
    void shouldWriteAForeseenLongValueWithoutGrowth() throws Exception {
        write(0, 2 * PART).get();
        out.close();
        value = cluster.create("/t/v", CrailNodeType.KEYVALUE).asKeyValue();
        out = value.getDirectOutputStream(0);
        write(0, 100).get();
        write(100, 2 * PART).get();
        assertThat(TestCluster.read(value)).as("not synced yet").isEqualTo(Arrays.copyOf(ALL, 2 * PART));
        out.close();
        assertHolds(2 * PART);
    }

    /** The value holds {@code length} bytes, and another put of it has begun. */
    private void putAgain(int length) throws Exception {
        write(0, length).get();
        out.close();
        value = cluster.create("/t/v", CrailNodeType.KEYVALUE).asKeyValue();
        out = value.getDirectOutputStream(0);
    }

    private void leaveFree(int blocks) throws Exception {
        for (int i = 0; cluster.checkBlocks().free() > blocks; i++) {
            TestCluster.write(cluster.file("/f" + i), TestCluster.pattern(4 * PART, 1));
        }
        assertThat(cluster.checkBlocks().free()).isEqualTo(blocks);
    }

    @Test
    void shouldSayThatThereWasNoRoomAlsoWhenTheTokenIsFoundLostLater() throws Exception {
        putAgain(100);
        leaveFree(0);
        Future<CrailResult> failing = write(0, 2 * PART);
        assertThatThrownBy(failing::get).hasCauseInstanceOf(NoFreeBlocksException.class);

        ((CoreOutputStream) out)
                .renewTokenIfOlderThan(0, cluster.store.parts().blocks().nowNs());
        cluster.transport.settle();

        assertThatThrownBy(() -> write(0, 10)).isInstanceOf(NoFreeBlocksException.class);
        assertThatThrownBy(out::sync).isInstanceOf(NoFreeBlocksException.class);
        assertThatThrownBy(out::close).isInstanceOf(NoFreeBlocksException.class);
        assertHolds(100);
    }

    @Test
    void shouldKeepTheFormerValueWhenAWriteBehindThePartFails() throws Exception {
        putAgain(100);
        cluster.tier.failNext(
                access -> access.write() && access.length() == 2 * PART, new StorageFailureException("broken"));
        Future<CrailResult> failing = write(0, 2 * PART);
        assertThatThrownBy(failing::get).hasCauseInstanceOf(StorageFailureException.class);
        assertThatThrownBy(out::close).isInstanceOf(StorageFailureException.class);
        assertHolds(100);
    }

    @Test
    void shouldKeepTheFormerValueWhenItsReplacementFindsNoSecondBlock() throws Exception {
        putAgain(100);
        leaveFree(1);
        Future<CrailResult> failing = out.write(TestCluster.buffer(TestCluster.pattern(5 * PART, 3)));
        assertThatThrownBy(failing::get).hasCauseInstanceOf(NoFreeBlocksException.class);
        assertThatThrownBy(out::close).isInstanceOf(NoFreeBlocksException.class);
        assertHolds(100);
    }

    @Test
    void shouldReadItsOwnBytesThroughTheSameObjectAsFarAsOthersCould() throws Exception {
        write(0, 100).get();
        assertThat(TestCluster.read(value)).isEqualTo(Arrays.copyOf(ALL, 100));
        write(100, 2 * PART).get();
        assertThat(TestCluster.read(value)).isEqualTo(Arrays.copyOf(ALL, 100));
        out.sync().get();
        assertThat(TestCluster.read(value)).isEqualTo(Arrays.copyOf(ALL, 2 * PART));
        out.close();
    }
}
