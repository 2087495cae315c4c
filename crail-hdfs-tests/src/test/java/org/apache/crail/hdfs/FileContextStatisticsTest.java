/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FCStatisticsBaseTest;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Hadoop's base suite of what file contexts count, which is reset first: all of a process count together. */
@Tag("hdfs")
class FileContextStatisticsTest extends FCStatisticsBaseTest {
    @BeforeEach
    void setUp() throws Exception {
        fc = FileContext.getFileContext(SharedCluster.uri(), SharedCluster.configure(new Configuration()));
        fc.mkdir(directory(), FileContext.DEFAULT_PERM, true);
        FileContext.clearStatistics();
    }

    @AfterEach
    void tearDown() throws Exception {
        fc.delete(directory(), true);
    }

    private Path directory() {
        return fileContextTestHelper.getTestRootPath(fc, "test");
    }

    /** It reads the file twice. */
    @Override
    protected void verifyReadBytes(FileSystem.Statistics statistics) {
        assertThat(statistics.getBytesRead()).isEqualTo(2L * blockSize);
    }

    @Override
    protected void verifyWrittenBytes(FileSystem.Statistics statistics) {
        assertThat(statistics.getBytesWritten()).isEqualTo((long) numBlocks * blockSize);
    }

    @Test
    void shouldCountEachOperationOnce() throws Exception {
        Path file = new Path(directory(), "f");
        fc.create(file, EnumSet.of(CreateFlag.CREATE)).close();
        assertOperations(0, 1);
        assertThat(fc.listStatus(directory()).next().getPath()).isEqualTo(fc.makeQualified(file));
        assertOperations(1, 1);
        assertThat(fc.listLocatedStatus(directory()).next().getPath()).isEqualTo(fc.makeQualified(file));
        assertOperations(2, 1);
        fc.rename(file, file.suffix("-moved"));
        assertOperations(2, 2);
    }

    private static void assertOperations(int reads, int writes) {
        FileSystem.Statistics statistics = FileContext.getStatistics(SharedCluster.uri());
        assertThat(statistics.getReadOps()).isEqualTo(reads);
        assertThat(statistics.getLargeReadOps()).isZero();
        assertThat(statistics.getWriteOps()).isEqualTo(writes);
    }

    @Override
    protected URI getFsUri() {
        return SharedCluster.uri();
    }
}
