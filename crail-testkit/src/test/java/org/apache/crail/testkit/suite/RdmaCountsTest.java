/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.namenode.rpc.darpc.DaRPCCounters;
import org.apache.crail.namenode.rpc.darpc.DaRPCNameNode;
import org.apache.crail.storage.rdma.RdmaCounters;
import org.apache.crail.storage.rdma.RdmaStorageTier;
import org.apache.crail.testkit.AllocatedBytes;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.Rounds;
import org.apache.crail.testkit.TestClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rdma")
final class RdmaCountsTest extends CountsSuite {
    private static final int WRITE_EVERY = 10;

    @Override
    protected ClusterKind kind() {
        return ClusterKind.RDMA;
    }

    @Override
    protected long maxBytesPerRead() {
        return 4 * 1024;
    }

    @Test
    void shouldAllocateFewBytesPerLookup() throws Exception {
        client.createFile("/file");
        AllocatedBytes.assertLessThan(4 * 1024, 3000, () -> client.lookup("/file"));
    }

    /** What devices are told, by all of a store. */
    private record Work(long calls, long workRequests, long completions, long registrations, long connections) {
        private Work since(Work before) {
            return new Work(
                    calls - before.calls,
                    workRequests - before.workRequests,
                    completions - before.completions,
                    registrations - before.registrations,
                    connections - before.connections);
        }
    }

    private Work work() {
        DaRPCCounters metadata = ((DaRPCNameNode) probe.transport()).counters();
        RdmaCounters data = ((RdmaStorageTier) probe.tier()).counters();
        return new Work(
                metadata.calls(), data.workRequests(), data.completions(), data.registrations(), data.connections());
    }

    @Test
    void shouldReadABlockWithOneCallAndOneWorkRequest() throws Exception {
        client.write("/file", Pattern.of(1, BLOCK));
        CrailBuffer buffer = TestClient.emptyBuffer(BLOCK);
        read("/file", buffer);
        Work before = work();

        read("/file", buffer);

        assertThat(work().since(before)).isEqualTo(new Work(1, 1, 1, 0, 0));
        Pattern.verify(1, 0, TestClient.bytes(buffer, 0, BLOCK));
    }

    /** A write is a WRITE and the READ behind it, which alone completes; the calls are CREATE and SYNC. */
    @Test
    void shouldWriteABlockWithTwoCallsAndTwoWorkRequests() throws Exception {
        CrailBuffer buffer = TestClient.emptyBuffer(BLOCK);
        probed.create("/t", CrailNodeType.TABLE);
        append(probed.putting("/t/first"), buffer);
        Work before = work();

        append(probed.putting("/t/second"), buffer);

        assertThat(work().since(before)).isEqualTo(new Work(2, 2, 1, 0, 0));
    }

    /** A thousand in the lab, fewer between two hosts. */
    @Test
    void shouldRegisterNothingInAThousandOperationsWhenWarm() throws Exception {
        CrailBuffer buffer = TestClient.emptyBuffer(BLOCK);
        probed.create("/t", CrailNodeType.TABLE);
        append(probed.putting("/t/first"), buffer); // asks for a block, as the first long value of a table
        append(probed.createFile("/file"), buffer);
        read("/file", buffer);
        Work before = work();

        int operations = Rounds.of(4000);
        int writes = operations / WRITE_EVERY;
        for (int i = 0; i < operations; i++) {
            if (i % WRITE_EVERY == 0) {
                append(probed.putting("/t/file" + i), buffer);
            } else {
                read("/file", buffer);
            }
        }

        assertThat(work().since(before))
                .isEqualTo(new Work(operations + writes, operations + writes, operations, 0, 0));
    }

    private void read(String path, CrailBuffer buffer) throws Exception {
        CrailInputStream stream = probed.lookup(path).asFile().getDirectInputStream(BLOCK);
        buffer.clear();
        assertThat(TestClient.await(stream.read(buffer)).getLen()).isEqualTo(BLOCK);
        stream.close();
    }

    private static void append(CrailFile file, CrailBuffer buffer) throws Exception {
        CrailOutputStream stream = file.getDirectOutputStream(BLOCK);
        buffer.clear();
        TestClient.await(stream.write(buffer));
        stream.close();
    }
}
