/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.storage.datanode.Datanode;
import org.apache.crail.testkit.Await;
import org.apache.crail.testkit.FaultyProxy;
import org.apache.crail.testkit.FaultyProxy.Fault;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.Probe;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How many ranges are read at a time, seen while the answers of the datanode are held back. */
@Tag("hdfs")
class VectoredFlightTest {
    private static final String HERE = "127.0.0.1";
    private static final String BEHIND_PROXY = "127.0.0.2";
    private static final Path FILE = new Path("/f");
    private static final int BLOCK = 64 * 1024;
    private static final int LENGTH = 6 * BLOCK;
    private static final int RANGES = 40;
    private static final int RANGE_BYTES = 5000;

    private MiniCluster cluster;
    private Datanode datanode;
    private FaultyProxy proxy;
    private Probe probe;
    private FileSystem fs;

    @BeforeEach
    void start() throws Exception {
        cluster = SharedCluster.patient().datanodes(0).start();
        CrailConfiguration settings = cluster.configuration();
        settings.set("crail.datanode.bind", HERE);
        settings.set("crail.datanode.host", BEHIND_PROXY);
        settings.set("crail.storage.tcp.storagelimit", Integer.toString(16 * BLOCK));
        settings.set("crail.storage.tcp.allocationsize", Integer.toString(16 * BLOCK));
        datanode = Datanode.start(settings, null, 0, List.of());
        int port = datanode.info().getPort();
        proxy = FaultyProxy.start(address(HERE, port), address(BEHIND_PROXY, port));
        CrailConfiguration ofClient = cluster.configuration();
        probe = Probe.attach(ofClient);
        Configuration conf = new Configuration();
        ofClient.asMap().forEach(conf::set);
        fs = FileSystem.newInstance(SharedCluster.uri(cluster), conf);
        try (FSDataOutputStream out = fs.create(FILE)) {
            out.write(Pattern.of(1, LENGTH));
        }
    }

    private static InetSocketAddress address(String literal, int port) throws IOException {
        return new InetSocketAddress(InetAddress.getByName(literal), port);
    }

    @AfterEach
    void stop() throws Exception {
        if (proxy != null) {
            proxy.toClient(Fault.NONE);
        }
        List<AutoCloseable> started =
                Stream.of(fs, proxy, datanode, cluster).filter(Objects::nonNull).toList();
        Failures.closeAll(FILE, started);
    }

    @Test
    void shouldReadAllRangesIntoDirectBuffersAtOnce() throws Exception {
        assertReadsAtOnce(RANGES, ByteBuffer::allocateDirect);
    }

    @Test
    void shouldReadAsManyRangesAtOnceAsItHasBuffersToCopyFrom() throws Exception {
        assertReadsAtOnce(VectoredRead.MAX_BUFFERS, ByteBuffer::allocate);
    }

    private void assertReadsAtOnce(int expected, IntFunction<ByteBuffer> allocate) throws Exception {
        List<FileRange> ranges = new ArrayList<>();
        for (int i = 0; i < RANGES; i++) {
            ranges.add(FileRange.createFileRange(i * 8000L, RANGE_BYTES));
        }
        long inBlocks = ranges.stream()
                .limit(expected)
                .mapToLong(VectoredFlightTest::blocks)
                .sum();
        try (FSDataInputStream in = fs.open(FILE)) {
            assertThat(in.readAllBytes()).isEqualTo(Pattern.of(1, LENGTH));
            probe.reset();
            proxy.toClient(Fault.STALL);
            in.readVectored(ranges, allocate);
            Await.until("all that fit are being read", () -> probe.reads() >= inBlocks);
            assertThat(probe.reads()).isEqualTo(inBlocks);
            assertThat(ranges).noneMatch(range -> range.getData().isDone());

            proxy.toClient(Fault.NONE);
            for (FileRange range : ranges) {
                ByteBuffer read = range.getData().get(60, TimeUnit.SECONDS);
                byte[] bytes = new byte[RANGE_BYTES];
                read.get(bytes);
                Pattern.verify(1, range.getOffset(), bytes);
            }
        }
    }

    /** A read for each. */
    private static long blocks(FileRange range) {
        return (range.getOffset() + RANGE_BYTES - 1) / BLOCK - range.getOffset() / BLOCK + 1;
    }
}
