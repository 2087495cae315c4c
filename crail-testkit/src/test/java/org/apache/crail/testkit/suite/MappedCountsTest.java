/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailBufferedInputStream;
import org.apache.crail.CrailBufferedOutputStream;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailInputStream;
import org.apache.crail.testkit.AllocatedBytes;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.TestClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakDetectorRest.class)
final class MappedCountsTest extends CountsSuite {
    @Override
    protected ClusterKind kind() {
        return ClusterKind.MAPPED;
    }

    /** Measured: 432 (JDK 17). */
    @Override
    protected long maxBytesPerRead() {
        return 600;
    }

    /** By the store with the probe, which tells that the block is mapped. */
    @Override
    protected CrailFile fileToMeasure(String path) throws Exception {
        CrailFile file = probed.lookup(path).asFile();
        awaitMapped(file);
        return file;
    }

    /** Regions are mapped in the background when the first of their blocks are used. */
    private void awaitMapped(CrailFile file) throws Exception {
        long deadlineNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        int length = (int) file.getCapacity();
        while (probe.mappedTransfers() == 0) {
            assertThat(System.nanoTime() - deadlineNs)
                    .as("time until blocks are mapped")
                    .isNegative();
            CrailInputStream stream = file.getDirectInputStream(0);
            TestClient.await(stream.read(TestClient.emptyBuffer(length)));
            stream.close();
        }
    }

    /** An array is copied between the program and the block, and into no slice on the way. */
    @Test
    void shouldCopyEachByteOfAnArrayOnce() throws Exception {
        probed.write("/before", Pattern.of(1, BLOCK));
        awaitMapped(probed.lookup("/before").asFile());
        int length = 3 * BLOCK + 1000;
        byte[] bytes = Pattern.of(2, length);
        CrailFile file = probed.createFile("/file");

        probe.reset();
        try (CrailBufferedOutputStream stream = file.getBufferedOutputStream(0)) {
            stream.write(bytes, 0, 10);
            stream.write(bytes, 10, length - 10);
        }
        assertThat(probe.bytesCopiedOnce()).isEqualTo(length - 10);
        assertThat(probe.writes()).as("transfers of slices").isEqualTo(1);

        probe.reset();
        byte[] target = new byte[length];
        try (CrailBufferedInputStream stream = probed.lookup("/file").asFile().getBufferedInputStream(0)) {
            assertThat(stream.read(target)).isEqualTo(length);
        }
        assertThat(probe.bytesCopiedOnce()).isEqualTo(length);
        assertThat(probe.reads()).as("transfers of slices").isZero();
        assertThat(target).isEqualTo(bytes);
    }

    @Test
    void shouldAllocateFewBytesPerCopyOfAnArray() throws Exception {
        client.write("/file", new byte[BLOCK]);
        probed.write("/before", Pattern.of(1, BLOCK));
        awaitMapped(probed.lookup("/before").asFile());
        byte[] target = new byte[BLOCK];
        try (CrailBufferedInputStream stream = probed.lookup("/file").asFile().getBufferedInputStream(0)) {
            AllocatedBytes.assertLessThan(512, 3000, () -> {
                stream.seek(0);
                return stream.read(target);
            });
        }
    }
}
