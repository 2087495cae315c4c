/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSMainOperationsBaseTest;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Hadoop's base suite of file systems. */
@Tag("hdfs")
class MainOperationsTest extends FSMainOperationsBaseTest {
    MainOperationsTest() {
        super("/main");
    }

    @Override
    protected FileSystem createFileSystem() throws Exception {
        return FileSystem.get(SharedCluster.uri(), SharedCluster.configure(new Configuration()));
    }

    @Test
    @Override
    public void testListStatusThrowsExceptionForUnreadableDir() {
        Assumptions.abort("permissions are kept and told, but not enforced");
    }

    @Test
    @Override
    public void testGlobStatusThrowsExceptionForUnreadableDir() {
        Assumptions.abort("permissions are kept and told, but not enforced");
    }
}
