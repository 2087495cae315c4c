/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FCStatisticsBaseTest;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

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

    @Override
    protected URI getFsUri() {
        return SharedCluster.uri();
    }
}
