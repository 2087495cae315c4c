/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.apache.crail.CrailNodeType.DATAFILE;
import static org.apache.crail.CrailNodeType.DIRECTORY;
import static org.apache.crail.CrailNodeType.TABLE;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailResult;
import org.apache.crail.Upcoming;
import org.apache.crail.rpc.message.Operation;
import org.apache.crail.testkit.AllocatedBytes;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.TestClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What operations cost, in calls, transfers and bytes: figures that no noise can hide. */
@Tag("counts")
public abstract class CountsSuite extends ProbedSuite {
    /** The most bytes that a read of 4 KiB may allocate, client, transport and datanode together. */
    protected abstract long maxBytesPerRead();

    @Override
    protected MiniCluster.Builder shape() throws Exception {
        return super.shape().blocksPerDatanode(512);
    }

    @Test
    void shouldReadInsideABlockWithOneLookupAndOneTransfer() throws Exception {
        client.write("/file", Pattern.of(1, 1000));
        probe.reset();

        assertThat(probed.read("/file")).isEqualTo(Pattern.of(1, 1000));

        assertThat(probe.requests(Operation.LOOKUP)).isEqualTo(1);
        assertThat(probe.requests()).as("calls: %s", probe).isEqualTo(1);
        assertThat(probe.reads()).isEqualTo(1);
    }

    @Test
    void shouldPutASmallValueWithOneCreateOneTransferAndOneSync() throws Exception {
        client.create("/t", TABLE);
        probe.reset();

        probed.put("/t/key", Pattern.of(1, 1000));

        assertThat(probe.requests(Operation.CREATE)).isEqualTo(1);
        assertThat(probe.requests(Operation.SYNC)).isEqualTo(1);
        assertThat(probe.requests()).as("calls: %s", probe).isEqualTo(2);
        assertThat(probe.writes()).isEqualTo(1);
        assertThat(probe.reads()).isZero();
    }

    @Test
    void shouldGetASmallValueThatSharesABlockWithOneLookupAndOneTransfer() throws Exception {
        client.create("/t", TABLE);
        for (int i = 0; i < 10; i++) {
            client.put("/t/" + i, Pattern.of(i, 1000));
        }
        assertThat(cluster.checkBlocks().allocated()).as("blocks of values").isEqualTo(1);
        probe.reset();

        for (int i = 0; i < 10; i++) {
            assertThat(probed.read("/t/" + i)).isEqualTo(Pattern.of(i, 1000));
        }

        assertThat(probe.requests(Operation.LOOKUP)).isEqualTo(10);
        assertThat(probe.requests()).as("calls: %s", probe).isEqualTo(10);
        assertThat(probe.reads()).isEqualTo(10);
    }

    /** The first long value of a table asks for a block, those behind it begin with one. */
    @Test
    void shouldPutLongValuesWithOneCreateOneTransferAndOneSyncEach() throws Exception {
        client.create("/t", TABLE);
        probed.put("/t/first", Pattern.of(1, BLOCK));
        assertThat(probe.requests(Operation.MAP)).isEqualTo(1);
        probe.reset();

        for (int i = 0; i < 10; i++) {
            probed.put("/t/" + i, Pattern.of(i, BLOCK));
        }
        probed.put("/t/0", Pattern.of(10, BLOCK));

        assertThat(probe.requests(Operation.CREATE)).isEqualTo(11);
        assertThat(probe.requests(Operation.SYNC)).isEqualTo(11);
        assertThat(probe.requests()).as("calls: %s", probe).isEqualTo(22);
        assertThat(probe.writes()).isEqualTo(11);
        assertThat(probe.reads()).isZero();
    }

    @Test
    void shouldWriteASmallFileWithOneCreateOneTransferAndOneSync() throws Exception {
        client.create("/d", DIRECTORY);
        probe.reset();

        probed.write("/d/file", Pattern.of(1, 10));

        assertThat(probe.requests(Operation.CREATE)).isEqualTo(1);
        assertThat(probe.requests(Operation.SYNC)).isEqualTo(1);
        assertThat(probe.requests()).as("calls: %s", probe).isEqualTo(2);
        assertThat(probe.writes()).isEqualTo(1);
        assertThat(probe.reads()).isZero();
    }

    /** A directory knows nothing of its first file. */
    @Test
    void shouldAskForABlockForTheFirstLongFileOfADirectoryOnly() throws Exception {
        client.create("/d", DIRECTORY);
        for (int i = 0; i < 3; i++) {
            probe.reset();
            probed.write("/d/file" + i, Pattern.of(i, BLOCK));
            assertThat(probe.requests(Operation.MAP)).as("file %s", i).isEqualTo(i == 0 ? 1 : 0);
            assertThat(probe.writes()).isEqualTo(1);
            assertThat(probe.reads()).isZero();
        }
    }

    /** The block of an empty file comes with the token. */
    @Test
    void shouldAppendToAnEmptyFileWithOneTransferAndNoMap() throws Exception {
        client.createFile("/file").getDirectOutputStream(0).close();
        assertThat(client.lookup("/file").getCapacity()).as("behind the close").isZero();
        CrailFile file = probed.lookup("/file").asFile();
        probe.reset();

        CrailOutputStream stream = file.openForAppend(0);
        TestClient.await(stream.write(TestClient.buffer(Pattern.of(1, 1000))));
        stream.close();

        assertThat(probe.requests(Operation.LOOKUP)).isEqualTo(1);
        assertThat(probe.requests(Operation.SYNC)).isEqualTo(1);
        assertThat(probe.requests()).as("calls: %s", probe).isEqualTo(2);
        assertThat(probe.writes()).isEqualTo(1);
        assertThat(client.read("/file")).isEqualTo(Pattern.of(1, 1000));
    }

    /** What is replaced is kept without a call. */
    @Test
    void shouldReplaceASmallValueWithOneCreateOneTransferAndOneSync() throws Exception {
        client.create("/t", TABLE);
        client.put("/t/key", Pattern.of(1, 1000));
        probe.reset();

        probed.put("/t/key", Pattern.of(2, 1000));

        assertThat(probe.requests(Operation.CREATE)).isEqualTo(1);
        assertThat(probe.requests(Operation.SYNC)).isEqualTo(1);
        assertThat(probe.requests()).as("calls: %s", probe).isEqualTo(2);
        assertThat(probe.writes()).isEqualTo(1);
        assertThat(probe.reads()).isZero();
    }

    @Test
    void shouldDeleteAndLookUpWithOneCallEach() throws Exception {
        client.createFile("/file");
        probe.reset();

        assertThat(probed.lookup("/file")).isNotNull();
        assertThat(probe.requests(Operation.LOOKUP)).isEqualTo(1);
        probed.delete("/file", false);
        assertThat(probe.requests(Operation.REMOVE)).isEqualTo(1);
        assertThat(probed.lookup("/file")).isNull();
        assertThat(probe.requests()).as("calls: %s", probe).isEqualTo(3);
        assertThat(probe.writes()).isZero();
    }

    @Test
    void shouldMapTheBlocksOfALongFileInBatches() throws Exception {
        int blocks = 130;
        client.write("/file", new byte[blocks * BLOCK]);
        for (long hint : new long[] {0, (long) blocks * BLOCK}) {
            probe.reset();
            readSequentially("/file", hint);
            assertThat(probe.reads()).isEqualTo(blocks);
            assertThat(probe.requests(Operation.LOOKUP)).isEqualTo(1);
            assertThat(probe.requests(Operation.MAP))
                    .as("calls with hint %d: %s", hint, probe)
                    .isLessThanOrEqualTo(1 + blocks / 64);
        }
    }

    /** With a hint the metadata of all blocks has been asked for before the first transfer is over. */
    @Test
    void shouldAskForMetadataBeforeTheDataIsNeeded() throws Exception {
        int blocks = 32;
        client.write("/file", new byte[blocks * BLOCK]);
        CrailFile file = probed.lookup("/file").asFile();
        probe.reset();
        CrailInputStream stream = file.getDirectInputStream((long) blocks * BLOCK);
        TestClient.await(stream.read(TestClient.emptyBuffer(BLOCK)));
        long callsAfterFirstBlock = probe.requests(Operation.MAP);
        for (int i = 1; i < blocks; i++) {
            TestClient.await(stream.read(TestClient.emptyBuffer(BLOCK)));
        }
        stream.close();

        assertThat(callsAfterFirstBlock).isEqualTo(1);
        assertThat(probe.requests(Operation.MAP)).isEqualTo(1);
    }

    @Test
    void shouldWriteABlockWithOneTransferAndMapInBatches() throws Exception {
        int blocks = 64;
        CrailFile file = probed.createFile("/file");
        probe.reset();
        TestClient.append(file, new byte[blocks * BLOCK]);

        assertThat(probe.writes()).isEqualTo(blocks);
        assertThat(probe.requests(Operation.SYNC)).isEqualTo(1);
        assertThat(probe.requests(Operation.MAP)).as("calls: %s", probe).isLessThanOrEqualTo(2);
    }

    /** The tier gets the caller's own memory, over RDMA the device does; 0 bytes are copied. */
    @Test
    void shouldCopyNothingBetweenTheCallersBufferAndTheTier() throws Exception {
        int length = 3 * BLOCK;
        CrailFile file = probed.createFile("/file");
        CrailBuffer source = TestClient.buffer(Pattern.of(1, length));
        CrailBuffer target = TestClient.emptyBuffer(length);

        probe.reset();
        probe.watch(source);
        CrailOutputStream output = file.getDirectOutputStream(length);
        TestClient.await(output.write(source));
        output.close();
        assertThat(probe.straightBytes()).isEqualTo(length);
        assertThat(probe.copiedBytes()).isZero();

        probe.reset();
        probe.watch(target);
        CrailInputStream input = file.getDirectInputStream(length);
        TestClient.await(input.read(target));
        input.close();
        assertThat(probe.straightBytes()).isEqualTo(length);
        assertThat(probe.copiedBytes()).isZero();
        Pattern.verify(1, 0, TestClient.bytes(target, 0, length));
    }

    @Test
    void shouldEnumerateWithABoundedNumberOfCalls() throws Exception {
        int names = 300;
        client.create("/d", DIRECTORY);
        List<Upcoming<CrailNode>> creations = new ArrayList<>();
        for (int i = 0; i < names; i++) {
            creations.add(client.creating("/d/f" + i, DATAFILE));
        }
        for (Upcoming<CrailNode> creation : creations) {
            TestClient.await(creation).syncDir();
        }
        probe.reset();

        assertThat(probed.list("/d")).hasSize(names);

        assertThat(probe.requests(Operation.CHILDREN)).as("calls: %s", probe).isEqualTo(1);
        assertThat(probe.requests()).as("calls: %s", probe).isLessThanOrEqualTo(3);
        assertThat(probe.reads()).as("transfers: %s", probe).isZero();
    }

    /** A file whose reads are measured, when they go the way that they will go on going. */
    protected CrailFile fileToMeasure(String path) throws Exception {
        return client.lookup(path).asFile();
    }

    @Test
    void shouldAllocateFewBytesPerReadOf4KiB() throws Exception {
        client.write("/file", new byte[4096]);
        CrailInputStream stream = fileToMeasure("/file").getDirectInputStream(0);
        CrailBuffer buffer = TestClient.emptyBuffer(4096);
        AllocatedBytes.assertLessThan(maxBytesPerRead(), 3000, () -> {
            stream.seek(0);
            buffer.clear();
            Future<CrailResult> read = stream.read(buffer);
            return read.get();
        });
        stream.close();
    }

    private void readSequentially(String path, long hint) throws Exception {
        CrailInputStream stream = probed.lookup(path).asFile().getDirectInputStream(hint);
        CrailBuffer buffer = TestClient.emptyBuffer(BLOCK);
        Future<CrailResult> read = stream.read(buffer);
        while (read != null) {
            TestClient.await(read);
            buffer.clear();
            read = stream.read(buffer);
        }
        stream.close();
    }
}
