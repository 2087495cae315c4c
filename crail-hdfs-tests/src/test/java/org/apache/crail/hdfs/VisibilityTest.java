/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.apache.crail.testkit.ClusterKind;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a file system shows of files that another one, with a store of its own, is writing. */
@Tag("hdfs")
class VisibilityTest {
    private static final int BLOCK = 64 * 1024;
    private static final Path FILE = new Path("/visibility/f");

    private final byte[] bytes = new byte[5 * BLOCK + 1234];

    private void assertShown(FileSystem fs, int length) throws IOException {
        assertThat(fs.getFileStatus(FILE).getLen()).isEqualTo(length);
        try (FSDataInputStream in = fs.open(FILE)) {
            assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOf(bytes, length));
            byte[] again = new byte[length];
            in.readFully(0, again);
            assertThat(again).isEqualTo(Arrays.copyOf(bytes, length));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SOCKETS", "MAPPED"})
    void shouldShowOtherFileSystemsWhatWasFlushed(ClusterKind kind) throws Exception {
        new Random(7).nextBytes(bytes);
        Configuration conf = SharedCluster.configure(new Configuration(), kind);
        try (FileSystem writer = FileSystem.newInstance(conf);
                FileSystem reader = FileSystem.newInstance(conf)) {
            try (FSDataOutputStream out = writer.create(FILE)) {
                out.write(bytes, 0, 100);
                out.hflush();
                assertShown(reader, 100);
                try (FSDataInputStream early = reader.open(FILE)) {
                    out.write(bytes, 100, 2 * BLOCK);
                    out.hsync();
                    assertShown(reader, 100 + 2 * BLOCK);
                    assertThat(early.readAllBytes()).isEqualTo(Arrays.copyOf(bytes, 100));
                }
                out.write(bytes, 100 + 2 * BLOCK, 7);
                out.hflush();
                assertShown(reader, 107 + 2 * BLOCK);
                out.write(bytes, 107 + 2 * BLOCK, bytes.length - 107 - 2 * BLOCK);
            }
            assertShown(reader, bytes.length);
            writer.delete(FILE.getParent(), true);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SOCKETS", "MAPPED"})
    void shouldShowOtherFileSystemsWhatWasAppendedAndFlushed(ClusterKind kind) throws Exception {
        new Random(8).nextBytes(bytes);
        Configuration conf = SharedCluster.configure(new Configuration(), kind);
        try (FileSystem writer = FileSystem.newInstance(conf);
                FileSystem reader = FileSystem.newInstance(conf)) {
            try (FSDataOutputStream out = writer.create(FILE)) {
                out.write(bytes, 0, BLOCK + 10);
            }
            assertShown(reader, BLOCK + 10);
            try (FSDataOutputStream out = writer.append(FILE)) {
                out.write(bytes, BLOCK + 10, BLOCK);
                out.hflush();
                assertShown(reader, 2 * BLOCK + 10);
            }
            writer.delete(FILE.getParent(), true);
        }
    }
}
