/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileSystemContractBaseTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** Hadoop's older contract of file systems. */
@Tag("hdfs")
class FileSystemBaseTest extends FileSystemContractBaseTest {
    @BeforeEach
    void connect() throws Exception {
        fs = FileSystem.newInstance(SharedCluster.uri(), SharedCluster.configure(new Configuration()));
    }

    @AfterEach
    @Override
    public void tearDown() throws Exception {
        super.tearDown();
        fs.close();
    }
}
