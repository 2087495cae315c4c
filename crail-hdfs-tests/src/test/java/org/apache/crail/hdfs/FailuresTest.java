/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.apache.crail.error.NamenodeUnreachableException;
import org.apache.crail.error.NoFreeBlocksException;
import org.apache.crail.error.TokenTakenException;
import org.apache.crail.rpc.message.ChildrenRequest;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Patience;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths of other file systems, a full store, and a namenode that is down. */
@Tag("hdfs")
class FailuresTest {
    private static final int BLOCK = 64 * 1024;

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
                FileSystem fs = SharedCluster.connect(cluster)) {
            Path path = new Path("/full");
            byte[] part = new byte[BLOCK];
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

    @ParameterizedTest
    @EnumSource
    void shouldSayInEachCallThatTheStoreIsFull(FullCall call) throws Exception {
        try (MiniCluster cluster = SharedCluster.patient().blocksPerDatanode(16).start();
                FileSystem fs = SharedCluster.connect(cluster);
                FileSystem other = SharedCluster.connect(cluster)) {
            Path path = new Path("/last");
            FSDataOutputStream out = fs.create(path);
            fill(other);
            out.write(new byte[BLOCK + 100]); // of which the last are collected, and on no datanode yet
            assertFull(path, () -> call.run(fs, path, out));
            if (call != FullCall.CLOSE) {
                assertFull(path, out::close);
            }
        }
    }

    /** What may need a block, with a stream that needs one more. */
    enum FullCall {
        CREATE {
            @Override
            void run(FileSystem fs, Path path, FSDataOutputStream out) throws IOException {
                FSDataOutputStream ignored = fs.create(path.suffix("-new"));
            }
        },
        WRITE {
            @Override
            void run(FileSystem fs, Path path, FSDataOutputStream out) throws IOException {
                for (int i = 0; i < 20; i++) {
                    out.write(new byte[BLOCK]);
                }
            }
        },
        HFLUSH {
            @Override
            void run(FileSystem fs, Path path, FSDataOutputStream out) throws IOException {
                out.hflush();
            }
        },
        HSYNC {
            @Override
            void run(FileSystem fs, Path path, FSDataOutputStream out) throws IOException {
                out.hsync();
            }
        },
        CLOSE {
            @Override
            void run(FileSystem fs, Path path, FSDataOutputStream out) throws IOException {
                out.close();
            }
        };

        abstract void run(FileSystem fs, Path path, FSDataOutputStream out) throws IOException;
    }

    private static void assertFull(Path path, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(ClusterStorageCapacityExceededException.class)
                .hasMessageContaining(path.toString())
                .hasCauseInstanceOf(NoFreeBlocksException.class);
    }

    /** Leaves no block free, nor a part of one. */
    private static void fill(FileSystem fs) {
        fill(fs, "/long", BLOCK);
        fill(fs, "/short", 1);
    }

    private static void fill(FileSystem fs, String prefix, int bytes) {
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 1_000; i++) {
                        try (FSDataOutputStream out = fs.create(new Path(prefix + i))) {
                            out.write(new byte[bytes]);
                        }
                    }
                })
                .isInstanceOf(ClusterStorageCapacityExceededException.class);
    }

    /** The name is one that no network knows. */
    @ParameterizedTest
    @CsvSource({
        "crail://nosuch.invalid:9060/, java.net.ConnectException",
        "crail://h:x/, org.apache.hadoop.fs.PathIOException"
    })
    void shouldNameAnAddressThatLeadsNowhere(String address, Class<? extends IOException> failure) throws Exception {
        Configuration conf = new Configuration();
        conf.set("crail.connecttimeout", "1s");
        long beginNs = System.nanoTime();
        assertThatThrownBy(
                        () -> FileSystem.newInstance(URI.create(address), conf).close())
                .isInstanceOf(failure)
                .hasMessageContaining(address);
        assertThat(Duration.ofNanos(System.nanoTime() - beginNs)).isLessThan(Patience.of(Duration.ofSeconds(30)));
    }

    @Test
    void shouldSayThatTheNamenodeIsDown() throws Exception {
        try (MiniCluster cluster = SharedCluster.patient()
                        .with("crail.connecttimeout", "5s")
                        .with("crail.rpctimeout", "5s")
                        .start();
                FileSystem fs = SharedCluster.connect(cluster)) {
            assertThat(fs.exists(new Path("/x"))).isFalse();
            cluster.stopNamenode();
            String address = SharedCluster.address(cluster);
            assertThatThrownBy(() -> fs.getFileStatus(new Path("/x")))
                    .isInstanceOf(ConnectException.class)
                    .hasMessageContaining("/x: ")
                    .hasMessageContaining("namenode " + address)
                    .hasCauseInstanceOf(NamenodeUnreachableException.class);
            assertThatThrownBy(() -> SharedCluster.connect(cluster).close())
                    .isInstanceOf(ConnectException.class)
                    .hasMessageContaining("crail://" + address + "/: ");
        }
    }

    /** As on HDFS; until the first one closes, or its token expires. */
    @Test
    void shouldRefuseASecondAppender() throws Exception {
        Path path = new Path("/appended");
        try (MiniCluster cluster = SharedCluster.patient()
                        .with("crail.tokenexpiration", "60s")
                        .start();
                FileSystem fs = SharedCluster.connect(cluster);
                FileSystem other = SharedCluster.connect(cluster)) {
            fs.create(path).close();
            try (FSDataOutputStream first = fs.append(path)) {
                for (FileSystem second : List.of(fs, other)) {
                    assertThatThrownBy(() -> second.append(path))
                            .isInstanceOf(PathIOException.class)
                            .hasMessageContaining(path.toString())
                            .hasMessageContaining("another writer")
                            .hasCauseInstanceOf(TokenTakenException.class);
                }
                first.write(1);
            }
            try (FSDataOutputStream next = other.append(path)) {
                next.write(2);
            }
            assertThat(fs.getFileStatus(path).getLen()).isEqualTo(2);
        }
    }

    /**
     * A namenode that has been started again knows none of what was before, so that the answer is another one than
     * before.
     */
    @Test
    void shouldAskAgainForAPageThatDidNotCome() throws Exception {
        try (MiniCluster cluster = SharedCluster.patient()
                        .with("crail.connecttimeout", "5s")
                        .with("crail.rpctimeout", "5s")
                        .start();
                FileSystem fs = SharedCluster.connect(cluster)) {
            Path directory = new Path("/listed");
            for (int i = 0; i < 6 * ChildrenRequest.MAX_COUNT; i++) {
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
