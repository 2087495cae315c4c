/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.testkit.MiniCluster;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ClusterStorageCapacityExceededException;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A full store, and a namenode that is down. */
@Tag("hdfs")
class FailuresTest {
    private static FileSystem connect(MiniCluster cluster) throws IOException {
        Configuration conf = new Configuration();
        cluster.configuration().asMap().forEach(conf::set);
        String address = cluster.configuration().get(CrailKeys.NAMENODE_ADDRESS.name());
        return FileSystem.newInstance(URI.create(address + "/"), conf);
    }

    @Test
    void shouldSayThatTheStoreIsFull() throws Exception {
        try (MiniCluster cluster = SharedCluster.patient().blocksPerDatanode(8).start();
                FileSystem fs = connect(cluster)) {
            Path path = new Path("/full");
            byte[] part = new byte[64 * 1024];
            assertThatThrownBy(() -> {
                        try (FSDataOutputStream out = fs.create(path)) {
                            for (int i = 0; i < 20; i++) {
                                out.write(part);
                                out.hflush();
                            }
                        }
                    })
                    .isInstanceOf(ClusterStorageCapacityExceededException.class)
                    .hasMessageContaining("/full");
            assertThat(fs.getFileStatus(path).getLen()).isLessThanOrEqualTo(8L * part.length);
        }
    }

    @Test
    void shouldSayThatTheNamenodeIsDown() throws Exception {
        try (MiniCluster cluster = SharedCluster.patient()
                        .with("crail.connecttimeout", "5s")
                        .with("crail.rpctimeout", "5s")
                        .start();
                FileSystem fs = connect(cluster)) {
            assertThat(fs.exists(new Path("/x"))).isFalse();
            cluster.stopNamenode();
            assertThatThrownBy(() -> fs.getFileStatus(new Path("/x")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("/x");
            assertThatThrownBy(() -> connect(cluster).close()).isInstanceOf(ConnectException.class);
        }
    }
}
