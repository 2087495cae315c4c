/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.util.List;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.rpc.message.ChildrenRequest;
import org.apache.crail.testkit.MiniCluster;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ClusterStorageCapacityExceededException;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.RemoteIterator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths of other file systems, a full store, and a namenode that is down. */
@Tag("hdfs")
class FailuresTest {
    private static FileSystem connect(MiniCluster cluster) throws IOException {
        Configuration conf = new Configuration();
        cluster.configuration().asMap().forEach(conf::set);
        String address = cluster.configuration().get(CrailKeys.NAMENODE_ADDRESS.name());
        return FileSystem.newInstance(URI.create(address + "/"), conf);
    }

    /** What Hadoop's own file systems do with them. */
    @ParameterizedTest
    @ValueSource(strings = {"hdfs://localhost:9060/x", "crail://localhost:1/x", "crail://elsewhere/x", "file:///x"})
    void shouldRefusePathsOfOthers(String other) throws Exception {
        Path path = new Path(other);
        try (FileSystem fs =
                FileSystem.newInstance(SharedCluster.uri(), SharedCluster.configure(new Configuration()))) {
            List<ThrowingCallable> calls = List.of(
                    () -> fs.open(path),
                    () -> fs.create(path),
                    () -> fs.getFileStatus(path),
                    () -> fs.listStatus(path),
                    () -> fs.mkdirs(path),
                    () -> fs.delete(path, true),
                    () -> fs.rename(new Path("/x"), path));
            assertThat(calls).allSatisfy(call -> assertThatThrownBy(call)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Wrong FS")
                    .hasMessageContaining(path.toString()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hdfs://localhost:9060/", "file:///", "/x"})
    void shouldRefuseUrisOfOthers(String other) throws IOException {
        try (CrailHadoopFileSystem fs = new CrailHadoopFileSystem()) {
            assertThatThrownBy(() -> fs.initialize(URI.create(other), new Configuration()))
                    .isInstanceOf(PathIOException.class)
                    .hasMessageContaining(other)
                    .hasMessageContaining("crail://host:9060/");
        }
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

    /** A namenode that has been started again knows none of what was before, so that the answer is another one than before. */
    @Test
    void shouldAskAgainForAPageThatDidNotCome() throws Exception {
        try (MiniCluster cluster = SharedCluster.patient()
                        .with("crail.connecttimeout", "5s")
                        .with("crail.rpctimeout", "5s")
                        .start();
                FileSystem fs = connect(cluster)) {
            Path directory = new Path("/listed");
            for (int i = 0; i < 3 * ChildrenRequest.MAX_COUNT; i++) {
                fs.mkdirs(new Path(directory, "child-" + i));
            }
            RemoteIterator<FileStatus> children = fs.listStatusIterator(directory);
            cluster.stopNamenode();
            assertThatThrownBy(() -> goThrough(children)).isInstanceOf(IOException.class);
            assertThatThrownBy(children::hasNext).isInstanceOf(ConnectException.class);
            cluster.startNamenode();
            assertThatThrownBy(children::hasNext)
                    .isInstanceOf(FileNotFoundException.class)
                    .hasMessageContaining("/listed");
        }
    }

    private static void goThrough(RemoteIterator<FileStatus> children) throws IOException {
        while (children.hasNext()) {
            FileStatus ignored = children.next();
        }
    }
}
