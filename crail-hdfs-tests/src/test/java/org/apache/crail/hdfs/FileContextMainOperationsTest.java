/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileContextMainOperationsBaseTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** Hadoop's base suite of file contexts. */
@Tag("hdfs")
class FileContextMainOperationsTest extends FileContextMainOperationsBaseTest {
    @BeforeEach
    @Override
    public void setUp() throws Exception {
        fc = FileContext.getFileContext(SharedCluster.uri(), SharedCluster.configure(new Configuration()));
        super.setUp();
    }

    @Override
    protected boolean listCorruptedBlocksSupported() {
        return false;
    }
}
