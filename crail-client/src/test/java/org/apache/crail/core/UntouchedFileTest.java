/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.error.StorageFailureException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The block of a file that is closed before anything was written: others can have it at once, if nobody can write there
 * any more.
 */
class UntouchedFileTest {
    private static final int BLOCKS = 4;
    private static final int FILES = 3 * BLOCKS;

    private TestCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = new TestCluster(BLOCKS);
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    private long pendingBlocks() throws Exception {
        cluster.transport.settle();
        return cluster.checkBlocks().pending();
    }

    @Test
    void shouldLeaveRoomForMoreEmptyFilesThanThereAreBlocks() throws Exception {
        for (int i = 0; i < FILES; i++) {
            cluster.file("/f" + i).getDirectOutputStream(0).close();
        }
        byte[] bytes = TestCluster.pattern(TestCluster.BLOCK, 1);
        TestCluster.write(cluster.file("/last"), bytes);
        assertThat(TestCluster.read(cluster.lookup("/last"))).isEqualTo(bytes);
        assertThat(cluster.lookup("/f0").getCapacity()).isZero();
    }

    @Test
    void shouldLeaveRoomForMoreEmptyValuesThanThereAreBlocks() throws Exception {
        cluster.create("/t", CrailNodeType.TABLE);
        for (int i = 0; i < FILES; i++) {
            cluster.create("/t/" + i, CrailNodeType.KEYVALUE)
                    .asKeyValue()
                    .getDirectOutputStream(0)
                    .close();
        }
        assertThat(pendingBlocks()).isZero();
    }

    @Test
    void shouldWaitWithABlockToWhichAWriteHasFailed() throws Exception {
        CrailOutputStream out = cluster.file("/f").getDirectOutputStream(0);
        cluster.tier.failNext(HeapTier.Access::write, new StorageFailureException("broken"));
        assertThatThrownBy(() -> out.write(TestCluster.buffer(new byte[1])).get());
        assertThatThrownBy(out::close);
        assertThat(pendingBlocks()).isEqualTo(1);
    }

    @Test
    void shouldWaitWithABlockOfAWriterThatIsNotTheFirst() throws Exception {
        cluster.file("/f").getDirectOutputStream(0).close();
        cluster.lookup("/f").openForAppend(0).close();
        assertThat(pendingBlocks()).isEqualTo(1);
    }
}
