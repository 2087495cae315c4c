/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.crail.testkit.MiniCluster;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("hdfs")
class LargeRangeTest {
    private static final Path FILE = new Path("/large");
    private static final int LENGTH = 16 << 20;

    /** Thousands of parts, most of which are there when the call returns that asks for them. */
    @Test
    void shouldReadALargeRangeOverSmallBuffersOnTheHostOfADatanode() throws Exception {
        try (MiniCluster cluster = SharedCluster.patient()
                .with("crail.storage.tcp.mapped", "true")
                .with("crail.buffersize", "1k")
                .with("crail.slicesize", "1k")
                .blocksPerDatanode(512)
                .start()) {
            byte[] bytes = new byte[LENGTH];
            new Random(7).nextBytes(bytes);
            try (FileSystem fs = SharedCluster.connect(cluster)) {
                try (FSDataOutputStream out = fs.create(FILE)) {
                    out.write(bytes);
                }
                try (FSDataInputStream in = fs.open(FILE)) {
                    FileRange range = FileRange.createFileRange(0, LENGTH);
                    in.readVectored(List.of(range), ByteBuffer::allocate);
                    assertThat(range.getData().get(60, TimeUnit.SECONDS).array())
                            .isEqualTo(bytes);
                }
            }
        }
    }
}
