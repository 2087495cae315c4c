/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Future;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailResult;
import org.apache.crail.core.block.TransferCounters;
import org.apache.crail.rpc.client.CallCounters;
import org.apache.crail.rpc.message.Operation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What operations cost in metadata calls and transfers. */
class StoreCostTest {
    private TestCluster cluster;
    private CallCounters calls;
    private TransferCounters transfers;

    @BeforeEach
    void start() throws Exception {
        cluster = new TestCluster(512);
        calls = cluster.store.metadataCalls();
        transfers = cluster.store.transfers();
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    @Test
    void shouldPutASmallKeyValueWithOneCreateOneTransferOneSync() throws Exception {
        cluster.create("/t", CrailNodeType.TABLE);
        long before = calls.total();
        TestCluster.write(cluster.create("/t/k", CrailNodeType.KEYVALUE).asKeyValue(), TestCluster.pattern(100, 1));
        assertThat(calls.total() - before).isEqualTo(2);
        assertThat(calls.calls(Operation.CREATE)).isEqualTo(2);
        assertThat(calls.calls(Operation.SYNC)).isEqualTo(1);
        assertThat(transfers.writes()).isEqualTo(1);
    }

    @Test
    void shouldReadInsideABlockWithOneLookupOneTransfer() throws Exception {
        TestCluster.write(cluster.file("/f"), TestCluster.pattern(100, 1));
        CoreDataStore reader = cluster.newStore();
        assertThat(TestCluster.read(reader.lookup("/f").get().asFile())).isEqualTo(TestCluster.pattern(100, 1));
        assertThat(reader.metadataCalls().total()).isEqualTo(1);
        assertThat(reader.transfers().reads()).isEqualTo(1);
    }

    @Test
    void shouldMapTheBlocksOfASequentialReadInBatches() throws Exception {
        int blocks = 150;
        byte[] bytes = TestCluster.pattern(blocks * TestCluster.BLOCK, 3);
        TestCluster.write(cluster.file("/f"), bytes);
        CoreDataStore reader = cluster.newStore();
        CrailFile file = reader.lookup("/f").get().asFile();
        CrailInputStream in = file.getDirectInputStream(file.getCapacity());
        for (int i = 0; i < blocks; i++) {
            cluster.transport.settle(); // answers are no slower than reads, whatever else the machine does
            var buffer = TestCluster.space(TestCluster.BLOCK);
            assertThat(in.read(buffer).get().getLen()).isEqualTo(TestCluster.BLOCK);
        }
        in.close();
        assertThat(reader.metadataCalls().calls(Operation.MAP)).isLessThanOrEqualTo(3);
        assertThat(reader.parts().inputStatistics().getUncachedOps())
                .as("reads that waited for metadata")
                .isLessThanOrEqualTo(1);
    }

    @Test
    void shouldMapABlockOnlyOnceForReadsInFlight() throws Exception {
        byte[] bytes = TestCluster.pattern(8 * TestCluster.BLOCK, 3);
        TestCluster.write(cluster.file("/f"), bytes);
        CoreDataStore reader = cluster.newStore();
        CrailInputStream in = reader.lookup("/f").get().asFile().getDirectInputStream(bytes.length);
        Future<CrailResult> last = null;
        for (int i = 0; i < 64; i++) {
            last = in.read(TestCluster.space(TestCluster.BLOCK / 8));
        }
        last.get();
        in.close();
        assertThat(reader.metadataCalls().calls(Operation.MAP)).isEqualTo(1);
    }

    @Test
    void shouldNotAskAheadWithTheFirstBlockWithoutAHint() throws Exception {
        CrailOutputStream out = cluster.file("/f").getDirectOutputStream(0);
        out.write(TestCluster.buffer(TestCluster.pattern(TestCluster.BLOCK, 1))).get();
        assertThat(calls.calls(Operation.MAP)).isZero();
        out.close();
    }

    /** From the fourth block on; what is left goes back with the close. */
    @Test
    void shouldAskForSeveralBlocksAtATimeOfALongFileWithoutAHint() throws Exception {
        int blocks = 128;
        CrailFile file = cluster.file("/f");
        file.syncDir();
        long before = cluster.checkBlocks().allocated();
        CrailOutputStream out = file.getDirectOutputStream(0);
        for (int i = 0; i < blocks; i++) {
            out.write(TestCluster.buffer(TestCluster.pattern(TestCluster.BLOCK, i)))
                    .get();
            cluster.transport.settle();
            assertThat(cluster.checkBlocks().allocated() - before)
                    .as("blocks beside the %d that are in use", i + 1)
                    .isLessThanOrEqualTo(i + (i < 3 ? 0 : Math.min(16, (i + 1) / 2)));
        }
        assertThat(calls.calls(Operation.MAP)).isLessThanOrEqualTo(20);
        out.close();
        assertThat(cluster.checkBlocks().allocated() - before).isEqualTo(blocks - 1);
    }

    /** The namenode may take a value that finds no block for one that has failed. */
    @Test
    void shouldNotAskForBlocksOfLongValuesThatNoHintPromises() throws Exception {
        cluster.create("/t", CrailNodeType.TABLE);
        CrailOutputStream out =
                cluster.create("/t/k", CrailNodeType.KEYVALUE).asKeyValue().getDirectOutputStream(0);
        for (int i = 0; i < 20; i++) {
            out.write(TestCluster.buffer(TestCluster.pattern(TestCluster.BLOCK, i)))
                    .get();
        }
        assertThat(calls.calls(Operation.MAP)).isEqualTo(19);
        out.close();
    }

    @Test
    void shouldAskForAllBlocksOfAKnownLengthAtOnce() throws Exception {
        int blocks = 40;
        CrailOutputStream out = cluster.file("/f").getDirectOutputStream((long) blocks * TestCluster.BLOCK);
        for (int i = 0; i < blocks; i++) {
            out.write(TestCluster.buffer(TestCluster.pattern(TestCluster.BLOCK, i)))
                    .get();
        }
        out.close();
        assertThat(calls.calls(Operation.MAP)).isEqualTo(1);
    }

    @Test
    void shouldNotTakeManyMoreBlocksThanAreWrittenWhenTheHintIsUnreal() throws Exception {
        CrailOutputStream out = cluster.file("/f").getDirectOutputStream(Integer.MAX_VALUE);
        out.write(TestCluster.buffer(TestCluster.pattern(100, 1))).get();
        assertThat(cluster.checkBlocks().allocated()).isLessThan(16);
        out.close();
        assertThat(cluster.checkBlocks().allocated()).isLessThanOrEqualTo(3);
    }
}
