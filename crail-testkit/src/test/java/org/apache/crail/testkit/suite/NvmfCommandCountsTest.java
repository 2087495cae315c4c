/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.storage.nvmf.NvmfCounters;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.TestClient;
import org.apache.crail.testkit.nvme.NvmeTarget;
import org.apache.crail.testkit.nvme.NvmeTargets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a program's operations cost in NVMe commands, copies and registrations; the target's disk counts, too. */
@Tag("nvmf")
@Tag("counts")
final class NvmfCommandCountsTest extends ClusterSuite {
    private static final int MIB = 1 << 20;

    /** What the kernel's target moves with one command. */
    private static final int MAX_TRANSFER = MIB;

    private final NvmfCounters counters = CountedNvmfTier.counters();
    private final NvmeTarget target = NvmeTargets.numbered(0);
    private TestClient counted;
    private long reads;
    private long writes;
    private long copies;
    private long registrations;
    private long diskReads;
    private long diskWrites;

    @Override
    protected ClusterKind kind() {
        return ClusterKind.NVMF;
    }

    @Override
    protected MiniCluster.Builder shape() throws Exception {
        return super.shape()
                .blocksPerDatanode(16)
                .with("crail.blocksize", "4m")
                .with("crail.storage.keepalive", "1s")
                .with("crail.storage.nvmf.keepalive", "60s"); // the datanode's looks would count at the disk
    }

    @BeforeEach
    void openCountedStore() throws Exception {
        CrailConfiguration configuration = cluster.configuration();
        configuration.set("crail.storage.types", CountedNvmfTier.class.getName());
        counted = TestClient.open(configuration);
        counted.create("/t", CrailNodeType.TABLE);
    }

    @AfterEach
    void closeCountedStore() throws Exception {
        counted.close();
    }

    @Test
    void shouldReadWholeSectorsWithOneCommandForEachMaximumTransfer() throws Exception {
        int length = 3 * MIB + MIB / 2;
        CrailFile file = counted.putting("/t/value");
        CrailBuffer buffer = TestClient.emptyBuffer(length);
        CrailOutputStream output = file.getDirectOutputStream(length);
        TestClient.await(output.write(buffer));
        output.close();
        CrailInputStream input = file.getDirectInputStream(length);

        for (int bytes : new int[] {4096, MIB, length}) {
            begin();
            input.seek(0);
            buffer.clear().limit(bytes);
            TestClient.await(input.read(buffer));
            assertCommands((bytes + MAX_TRANSFER - 1) / MAX_TRANSFER, 0);
            assertCopies(0);
        }
        input.close();
    }

    @Test
    void shouldWriteWholeSectorsWithOneCommandForEachMaximumTransfer() throws Exception {
        CrailBuffer buffer = TestClient.emptyBuffer(2 * MIB);
        CrailOutputStream output = counted.putting("/t/value").getDirectOutputStream(0);
        TestClient.await(output.write(buffer.limit(8192))); // more than values that share a block have

        for (int bytes : new int[] {4096, 2 * MIB}) {
            begin();
            TestClient.await(output.write(buffer.clear().limit(bytes)));
            assertCommands(0, (bytes + MAX_TRANSFER - 1) / MAX_TRANSFER);
            assertCopies(0);
        }
        output.close();
    }

    @Test
    void shouldAppendAFewBytesWithOneReadAndOneWrite() throws Exception {
        CrailFile file = counted.putting("/t/value");
        CrailOutputStream output = file.getDirectOutputStream(0);
        CrailBuffer buffer = TestClient.buffer(Pattern.of(1, 300));
        TestClient.await(output.write(buffer.limit(100)));

        for (int i = 1; i < 3; i++) {
            begin();
            TestClient.await(output.write(buffer.position(100 * i).limit(100 * (i + 1))));
            assertSmallCommands(1, 1);
            assertCopies(1);
        }
        output.close();
        begin();
        CrailInputStream input = file.getDirectInputStream(300);
        TestClient.await(input.read(buffer.clear()));
        input.close();
        assertSmallCommands(1, 0);
        assertCopies(1);
        assertThat(TestClient.bytes(buffer, 0, 300)).isEqualTo(Pattern.of(1, 300));
    }

    @Test
    void shouldRegisterNothingWhenWarm() throws Exception {
        CrailBuffer buffer = counted.store().allocateBuffer();
        CrailOutputStream output = counted.putting("/t/value").getDirectOutputStream(0);
        TestClient.await(output.write(buffer.clear().limit(8192)));
        counted.store().freeBuffer(buffer);
        begin();
        for (int i = 0; i < 20; i++) {
            CrailBuffer each = counted.store().allocateBuffer();
            TestClient.await(output.write(each.clear().limit(8192)));
            counted.store().freeBuffer(each);
        }
        output.close();
        assertThat(counters.registrations()).isEqualTo(registrations);
        assertSmallCommands(0, 20);
    }

    private void begin() throws Exception {
        reads = counters.reads();
        writes = counters.writes();
        copies = counters.copies();
        registrations = counters.registrations();
        diskReads = target.reads();
        diskWrites = target.writes();
    }

    private void assertCommands(int expectedReads, int expectedWrites) {
        assertThat(counters.reads() - reads).as("reads").isEqualTo(expectedReads);
        assertThat(counters.writes() - writes).as("writes").isEqualTo(expectedWrites);
    }

    /** As {@link #assertCommands}, and the disk has carried out as many; it takes large ones in pieces. */
    private void assertSmallCommands(int expectedReads, int expectedWrites) throws Exception {
        assertCommands(expectedReads, expectedWrites);
        assertThat(target.reads() - diskReads).as("reads of the disk").isEqualTo(expectedReads);
        assertThat(target.writes() - diskWrites).as("writes of the disk").isEqualTo(expectedWrites);
    }

    private void assertCopies(int expected) {
        assertThat(counters.copies() - copies).as("copies").isEqualTo(expected);
    }
}
