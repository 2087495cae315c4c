/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.apache.crail.CrailNodeType.DATAFILE;
import static org.apache.crail.CrailNodeType.DIRECTORY;
import static org.apache.crail.CrailNodeType.TABLE;
import static org.apache.crail.rpc.message.Operation.CHILDREN;
import static org.apache.crail.rpc.message.Operation.CREATE;
import static org.apache.crail.rpc.message.Operation.LOOKUP;
import static org.apache.crail.rpc.message.Operation.MAP;
import static org.apache.crail.rpc.message.Operation.SYNC;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.Upcoming;
import org.apache.crail.rpc.message.Operation;
import org.apache.crail.testkit.AllocatedBytes;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.TestClient;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The whole cost of each operation that programs use most: round trips to the namenode, transfers, the bytes that they
 * move and that are copied on the way to or from the tier, exactly; and the most bytes that all threads, servers'
 * included, allocate.
 */
@Tag("counts")
public abstract class OperationCostSuite extends ProbedSuite {
    private static final int SMALL_BLOCK = 4096;
    private static final int BLOCKS = 10;
    private static final int VALUE = 1000;
    private static final int NAMES = 100;

    private int number;

    /**
     * What an operation costs.
     *
     * @param calls requests to the namenode
     * @param reads transfers from datanodes
     * @param writes transfers to datanodes
     * @param mapped those of the transfers that are copies by the caller, as their blocks are mapped
     * @param straight bytes moved from or to the caller's memory itself
     * @param copied bytes moved from or to other memory
     */
    private record Cost(Map<Operation, Long> calls, long reads, long writes, long mapped, long straight, long copied) {}

    /** The most bytes that operations may allocate. */
    protected record Allocations(
            long lookup, long put, long get, long writeOfTenBlocks, long readOfTenBlocks, long enumerationOfAHundred) {}

    /** What this kind of cluster may allocate, some 30 % more than was measured. */
    protected abstract Allocations most();

    @Override
    protected MiniCluster.Builder shape() throws Exception {
        return super.shape()
                .with("crail.blocksize", Integer.toString(SMALL_BLOCK))
                .with("crail.buffersize", Integer.toString(SMALL_BLOCK))
                .with("crail.slicesize", Integer.toString(SMALL_BLOCK))
                .blocksPerDatanode(8192); // as many as are written before any lease ends
    }

    @BeforeEach
    void createTable() throws Exception {
        client.create("/t", TABLE);
    }

    @Test
    void shouldLookUpWithOneCall() throws Exception {
        client.createFile("/file");

        assertThat(costOf(TestClient.emptyBuffer(1), () -> probed.lookup("/file")))
                .isEqualTo(cost(Map.of(LOOKUP, 1L), 0, 0, 0, 0));
        AllocatedBytes.assertLessThan(most().lookup(), 3000, () -> client.lookup("/file"));
    }

    @Test
    void shouldPutAValueWithTwoCallsAndOneTransfer() throws Exception {
        CrailBuffer value = TestClient.emptyBuffer(VALUE);

        assertThat(costOf(value, () -> put(probed, value)))
                .isEqualTo(cost(Map.of(CREATE, 1L, SYNC, 1L), 0, 1, VALUE, 0));
        AllocatedBytes.assertLessThan(most().put(), 1000, () -> put(client, value));
    }

    @Test
    void shouldGetAValueWithOneCallAndOneTransfer() throws Exception {
        CrailBuffer value = TestClient.emptyBuffer(VALUE);
        put(client, value);

        assertThat(costOf(value, () -> get(probed, value))).isEqualTo(cost(Map.of(LOOKUP, 1L), 1, 0, VALUE, 0));
        AllocatedBytes.assertLessThan(most().get(), 3000, () -> get(client, value));
    }

    /** The first block comes with CREATE, the others with one MAP. */
    @Test
    void shouldWriteTenBlocksWithThreeCallsAndATransferEach() throws Exception {
        CrailBuffer data = TestClient.emptyBuffer(BLOCKS * SMALL_BLOCK);

        assertThat(costOf(data, () -> write(probed, data)))
                .isEqualTo(cost(Map.of(CREATE, 1L, MAP, 1L, SYNC, 1L), 0, BLOCKS, data.capacity(), 0));
        AllocatedBytes.assertLessThan(most().writeOfTenBlocks(), 100, () -> write(client, data));
    }

    /** The first block comes with LOOKUP, the others with one MAP. */
    @Test
    void shouldReadTenBlocksWithTwoCallsAndATransferEach() throws Exception {
        CrailBuffer data = TestClient.emptyBuffer(BLOCKS * SMALL_BLOCK);
        TestClient.append(client.createFile("/file"), new byte[BLOCKS * SMALL_BLOCK]);

        assertThat(costOf(data, () -> read(probed, data)))
                .isEqualTo(cost(Map.of(LOOKUP, 1L, MAP, 1L), BLOCKS, 0, data.capacity(), 0));
        AllocatedBytes.assertLessThan(most().readOfTenBlocks(), 1000, () -> read(client, data));
    }

    /** One LOOKUP is the program's, one the listing's. */
    @Test
    void shouldEnumerateAPageWithOneCallAndNoTransfer() throws Exception {
        client.create("/d", DIRECTORY);
        for (int i = 0; i < NAMES; i++) {
            TestClient.await(client.creating("/d/" + i, DATAFILE));
        }

        assertThat(costOf(TestClient.emptyBuffer(1), () -> probed.list("/d")))
                .isEqualTo(cost(Map.of(LOOKUP, 2L, CHILDREN, 1L), 0, 0, 0, 0));
        AllocatedBytes.assertLessThan(most().enumerationOfAHundred(), 300, () -> client.list("/d"));
    }

    private Cost cost(Map<Operation, Long> calls, long reads, long writes, long straight, long copied) {
        return new Cost(calls, reads, writes, kind() == ClusterKind.MAPPED ? reads + writes : 0, straight, copied);
    }

    private Cost costOf(CrailBuffer callersMemory, AllocatedBytes.Round operation) throws Exception {
        if (kind() == ClusterKind.MAPPED) {
            awaitMapped();
        }
        probe.watch(callersMemory);
        probe.reset();
        operation.run();
        return new Cost(
                probe.calls(),
                probe.reads(),
                probe.writes(),
                probe.mappedTransfers(),
                probe.straightBytes(),
                probe.copiedBytes());
    }

    /** Regions are mapped in the background when the first of their blocks are used. */
    private void awaitMapped() throws Exception {
        long deadlineNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        CrailBuffer data = TestClient.emptyBuffer(BLOCKS * SMALL_BLOCK);
        do {
            assertThat(System.nanoTime() - deadlineNs)
                    .as("time until blocks are mapped")
                    .isNegative();
            probe.reset();
            write(probed, data);
        } while (probe.mappedTransfers() < BLOCKS);
    }

    private CrailFile put(TestClient by, CrailBuffer value) throws Exception {
        return append(by.putting("/t/" + number++), value);
    }

    private static CrailNode get(TestClient by, CrailBuffer value) throws Exception {
        CrailFile file = by.lookup("/t/0").asKeyValue();
        readAll(file, value);
        return file;
    }

    private CrailFile write(TestClient by, CrailBuffer data) throws Exception {
        Upcoming<CrailNode> file = by.store()
                .create("/file" + number++, DATAFILE, CrailStorageClass.DEFAULT, CrailLocationClass.DEFAULT, false);
        return append(TestClient.await(file).asFile(), data);
    }

    private static CrailNode read(TestClient by, CrailBuffer data) throws Exception {
        CrailFile file = by.lookup("/file").asFile();
        readAll(file, data);
        return file;
    }

    private static CrailFile append(CrailFile file, CrailBuffer bytes) throws Exception {
        bytes.clear();
        CrailOutputStream stream = file.getDirectOutputStream(bytes.capacity());
        TestClient.await(stream.write(bytes));
        stream.close();
        return file;
    }

    private static void readAll(CrailFile file, CrailBuffer bytes) throws Exception {
        bytes.clear();
        CrailInputStream stream = file.getDirectInputStream(bytes.capacity());
        assertThat(TestClient.await(stream.read(bytes)).getLen()).isEqualTo(bytes.capacity());
        stream.close();
    }
}
