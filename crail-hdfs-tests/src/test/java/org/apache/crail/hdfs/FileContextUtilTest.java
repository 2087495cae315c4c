/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileContextUtilBase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** Hadoop's base suite of copies in file contexts. */
@Tag("hdfs")
class FileContextUtilTest extends FileContextUtilBase {
    @BeforeEach
    @Override
    public void setUp() throws Exception {
        fc = FileContext.getFileContext(SharedCluster.uri(), SharedCluster.configure(new Configuration()));
        super.setUp();
    }
}
