/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** File systems on clusters that agree in nothing, side by side in one process. */
@Tag("hdfs")
class SeveralClustersTest {
    private static final Path FILE = new Path("/several/f");
    private static final int LENGTH = 300_000;
    private static final int LARGE_BLOCK = 128 * 1024;
    private static final int SMALL_BLOCK = 16 * 1024;

    private static MiniCluster start(ClusterKind kind, int block, int slice, String id) throws Exception {
        return SharedCluster.patient(kind)
                .with("crail.clusterid", id)
                .with("crail.blocksize", Integer.toString(block))
                .with("crail.buffersize", Integer.toString(block))
                .with("crail.slicesize", Integer.toString(slice))
                .start();
    }

    private static Configuration configuration(MiniCluster cluster, String blockSize) {
        Configuration conf = new Configuration();
        cluster.configuration().asMap().forEach(conf::set);
        conf.set("fs.crail.block.size", blockSize);
        conf.set("fs.defaultFS", SharedCluster.uri(cluster).toString());
        conf.set("fs.AbstractFileSystem.crail.impl", CrailHDFS.class.getName());
        return conf;
    }

    private static void assertHolds(FileSystem fs, int id, int block) throws IOException {
        FileStatus status = fs.getFileStatus(FILE);
        assertThat(status.getLen()).isEqualTo(LENGTH);
        assertThat(fs.getFileBlockLocations(status, 0, LENGTH)).hasSize((LENGTH + block - 1) / block);
        try (FSDataInputStream in = fs.open(FILE)) {
            assertThat(in.readAllBytes()).isEqualTo(Pattern.of(id, LENGTH));
            byte[] part = new byte[2 * SMALL_BLOCK];
            in.readFully(12_345, part);
            assertThat(part).isEqualTo(Pattern.of(id, 12_345, part.length));
        }
    }

    @Test
    void shouldKeepFileSystemsOfSeveralClustersApart() throws Exception {
        try (MiniCluster large = start(ClusterKind.SOCKETS, LARGE_BLOCK, 64 * 1024, "large");
                MiniCluster small = start(ClusterKind.MAPPED, SMALL_BLOCK, 4 * 1024, "small")) {
            Configuration ofLarge = configuration(large, "1m");
            Configuration ofSmall = configuration(small, "2m");
            try (FileSystem first = FileSystem.newInstance(ofLarge);
                    FileSystem second = FileSystem.newInstance(ofSmall)) {
                try (FSDataOutputStream one = first.create(FILE);
                        FSDataOutputStream two = second.create(FILE)) {
                    for (int at = 0; at < LENGTH; at += 10_000) {
                        one.write(Pattern.of(1, at, 10_000));
                        two.write(Pattern.of(2, at, 10_000));
                    }
                }
                assertHolds(first, 1, LARGE_BLOCK);
                assertHolds(second, 2, SMALL_BLOCK);
                assertThat(List.of(first, second))
                        .extracting(fs -> fs.getFileStatus(FILE).getBlockSize())
                        .containsExactly(1L << 20, 2L << 20);

                FileContext contextOfFirst = FileContext.getFileContext(ofLarge);
                FileContext contextOfSecond = FileContext.getFileContext(ofSmall);
                Path copy = FILE.suffix("-copy");
                assertThat(FileUtil.copy(first, FILE, second, copy, false, ofSmall))
                        .isTrue();
                assertThat(contextOfSecond.util().exists(copy)).isTrue();
                assertThat(contextOfFirst.util().exists(copy)).isFalse();

                assertThat(first.delete(FILE, false)).isTrue();
                assertThat(contextOfFirst.util().exists(FILE)).isFalse();
                assertHolds(second, 2, SMALL_BLOCK);
                assertThat(second.rename(copy, FILE)).isFalse();
                assertThat(second.delete(FILE, false)).isTrue();
                assertThat(second.rename(copy, FILE)).isTrue();
                assertHolds(second, 1, SMALL_BLOCK);
            }
        }
    }
}
