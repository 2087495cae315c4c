/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailStore;
import org.apache.crail.error.BufferExhaustedException;
import org.apache.crail.testkit.ForwardingStore;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Pattern;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Vectored reads of a store that has few buffers left, or none. */
@Tag("hdfs")
@Timeout(120)
class VectoredBuffersTest {
    private static final Path FILE = new Path("/f");
    private static final int PART = 1000;
    private static final int PARTS = 3 * VectoredRead.MAX_BUFFERS;

    private static List<FileRange> begin(CrailStore store, CrailFile file) throws Exception {
        List<FileRange> ranges = new ArrayList<>();
        for (int i = 0; i < PARTS; i++) {
            ranges.add(FileRange.createFileRange((long) i * PART, PART));
        }
        DirectReads reads = new DirectReads(store, file, FILE);
        new VectoredRead(reads, FILE, new ReadCounts(null)).begin(ranges, PART, ByteBuffer::allocate);
        return ranges;
    }

    @Test
    @SuppressWarnings("try") // the store's close declares Exception
    void shouldFailAllRangesWithoutABufferAndReadAllWithOne() throws Exception {
        try (MiniCluster cluster = SharedCluster.patient().start()) {
            try (FileSystem fs = SharedCluster.connect(cluster);
                    FSDataOutputStream out = fs.create(FILE)) {
                out.write(Pattern.of(1, PARTS * PART));
            }
            try (CrailStore store = CrailStore.newInstance(cluster.configuration())) {
                CrailFile file = store.lookup(FILE.toString()).get().asFile();

                for (FileRange range : begin(new FewBuffers(store, 0), file)) {
                    assertThatThrownBy(() -> range.getData().get(60, TimeUnit.SECONDS))
                            .hasRootCauseInstanceOf(BufferExhaustedException.class);
                }
                for (FileRange range : begin(new FewBuffers(store, 1), file)) {
                    byte[] bytes = new byte[PART];
                    range.getData().get(60, TimeUnit.SECONDS).get(bytes);
                    Pattern.verify(1, range.getOffset(), bytes);
                }
            }
        }
    }

    /** A store with a number of buffers that can be had once. */
    @SuppressWarnings("try") // as CrailStore
    private static final class FewBuffers extends ForwardingStore {
        private final AtomicInteger left;

        FewBuffers(CrailStore store, int buffers) {
            super(store);
            this.left = new AtomicInteger(buffers);
        }

        @Override
        public CrailBuffer allocateBuffer() throws Exception {
            if (left.getAndDecrement() <= 0) {
                throw new BufferExhaustedException("no buffer is left");
            }
            return super.allocateBuffer();
        }
    }
}
