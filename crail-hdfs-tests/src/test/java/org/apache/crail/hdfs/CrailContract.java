/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import java.io.IOException;
import org.apache.crail.testkit.ClusterKind;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.contract.AbstractFSContract;

/** What Crail promises, see contract/crail.xml, on a shared cluster. Thread safe. */
final class CrailContract extends AbstractFSContract {
    CrailContract(Configuration conf) {
        this(conf, ClusterKind.SOCKETS);
    }

    CrailContract(Configuration conf, ClusterKind kind) {
        super(SharedCluster.configure(conf, kind));
        addConfResource("contract/crail.xml");
    }

    @Override
    public FileSystem getTestFileSystem() throws IOException {
        return FileSystem.get(getConf());
    }

    @Override
    public String getScheme() {
        return "crail";
    }

    @Override
    public Path getTestPath() {
        return new Path("/contract");
    }
}
