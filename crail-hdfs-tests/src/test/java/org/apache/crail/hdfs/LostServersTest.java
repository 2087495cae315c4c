/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Patience;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.statistics.StreamStatisticNames;
import org.apache.hadoop.util.functional.FutureIO;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers that go away while streams are open: what readers and writers get, and that they get it in time. */
@Tag("hdfs")
class LostServersTest {
    private static final int BLOCK = 64 * 1024;
    private static final Path FILE = new Path("/file");

    /** More than the three limits below together. */
    private static final Duration LIMIT = Patience.of(Duration.ofSeconds(30));

    private MiniCluster cluster;
    private FileSystem fs;

    @BeforeEach
    void start() throws Exception {
        cluster = SharedCluster.patient()
                .with("crail.connecttimeout", "3s")
                .with("crail.rpctimeout", "3s")
                .with("crail.datatimeout", "3s")
                .start();
        fs = SharedCluster.connect(cluster);
        try (FileSystem writer = SharedCluster.connect(cluster); // which knows where the blocks are, unlike a reader
                FSDataOutputStream out = writer.create(FILE)) {
            out.write(new byte[5 * BLOCK]);
        }
    }

    @AfterEach
    void stop() throws IOException {
        try {
            fs.close();
        } finally {
            cluster.close();
        }
    }

    private String namenode() {
        return "namenode " + SharedCluster.address(cluster);
    }

    private String datanode() {
        return "datanode " + cluster.datanode(0).info().address();
    }

    private static void assertUnreachable(String server, ThrowingCallable call) {
        long beginNs = System.nanoTime();
        assertThatThrownBy(call)
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining(FILE + ": ")
                .hasMessageContaining(server);
        assertThat(Duration.ofNanos(System.nanoTime() - beginNs)).isLessThan(LIMIT);
    }

    /** In any way. */
    private static void assertUnreadable(String server, FSDataInputStream in) {
        assertUnreachable(server, () -> {
            in.seek(2L * BLOCK);
            in.readFully(new byte[10]);
        });
        assertUnreachable(server, () -> in.readFully(3L * BLOCK, new byte[10]));
        assertUnreachable(server, () -> in.readFully(3L * BLOCK, ByteBuffer.allocateDirect(10)));
        assertUnreachable(server, () -> {
            FileRange range = FileRange.createFileRange(4L * BLOCK, 10);
            in.readVectored(List.of(range), ByteBuffer::allocate);
            ByteBuffer ignored = FutureIO.awaitFuture(range.getData());
        });
        assertThat(in.getIOStatistics().counters()).containsEntry(StreamStatisticNames.STREAM_READ_EXCEPTIONS, 4L);
    }

    @Test
    void shouldTellReadersThatTheNamenodeIsDown() throws Exception {
        try (FSDataInputStream in = fs.open(FILE)) {
            cluster.stopNamenode();
            assertUnreadable(namenode(), in);
        }
    }

    @Test
    void shouldTellReadersThatADatanodeIsDown() throws Exception {
        try (FSDataInputStream in = fs.open(FILE)) {
            assertThat(in.read()).isZero();
            cluster.killDatanode(0);
            assertUnreadable(datanode(), in);
        }
    }

    /** The namenode knows it then. */
    @Test
    void shouldTellReadersThatADatanodeIsLostWithItsData() throws Exception {
        try (FSDataInputStream in = fs.open(FILE)) {
            cluster.stopDatanode(0);
            assertThatThrownBy(() -> in.readFully(3L * BLOCK, new byte[10]))
                    .isInstanceOf(PathIOException.class)
                    .hasMessageContaining(FILE.toString())
                    .hasMessageContaining(datanode());
        }
    }

    @Test
    void shouldListFilesThatHaveLostTheirBlocksAsCorrupt() throws Exception {
        cluster.stopDatanode(0);

        RemoteIterator<LocatedFileStatus> files = fs.listLocatedStatus(FILE.getParent());
        LocatedFileStatus file = files.next();
        assertThat(files.hasNext()).isFalse();
        assertThat(file.getPath()).isEqualTo(fs.makeQualified(FILE));
        assertThat(file.getBlockLocations()).hasSize(1);
        BlockLocation lost = file.getBlockLocations()[0];
        assertThat(lost.getHosts()).isEmpty();
        assertThat(lost.isCorrupt()).isTrue();
        assertThat(lost.getLength()).isEqualTo(5 * BLOCK);
    }

    @Test
    void shouldTellWritersThatTheNamenodeIsDown() throws Exception {
        FSDataOutputStream out = fs.create(FILE, true);
        out.write(1);
        out.hflush();
        cluster.stopNamenode();
        assertUnreachable(namenode(), () -> writeAndFlush(out));
        assertUnreachable(namenode(), out::close);
    }

    @Test
    void shouldTellWritersThatADatanodeIsDown() throws Exception {
        FSDataOutputStream out = fs.create(FILE, true);
        out.write(1);
        out.hflush();
        cluster.killDatanode(0);
        assertUnreachable(datanode(), () -> writeAndFlush(out));
        assertUnreachable(datanode(), out::close);
    }

    private static void writeAndFlush(FSDataOutputStream out) throws IOException {
        out.write(new byte[2 * BLOCK]);
        out.hflush();
    }
}
