/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileContextPermissionBase;
import org.junit.jupiter.api.Tag;

/** Hadoop's base suite of permissions in file contexts. */
@Tag("hdfs")
class FileContextPermissionTest extends FileContextPermissionBase {
    @Override
    protected FileContext getFileContext() throws Exception {
        return FileContext.getFileContext(SharedCluster.uri(), SharedCluster.configure(new Configuration()));
    }
}
