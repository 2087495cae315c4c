/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileContextURIBase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** Hadoop's base suite of paths with and without scheme in file contexts. */
@Tag("hdfs")
class FileContextUriTest extends FileContextURIBase {
    @BeforeEach
    @Override
    public void setUp() throws Exception {
        fc1 = FileContext.getFileContext(SharedCluster.uri(), SharedCluster.configure(new Configuration()));
        fc2 = fc1;
        super.setUp();
    }
}
