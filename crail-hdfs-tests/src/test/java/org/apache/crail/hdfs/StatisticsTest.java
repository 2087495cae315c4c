/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.apache.crail.testkit.TestClient;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageStatistics;
import org.apache.hadoop.fs.permission.FsPermission;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What file systems count, all of a process together, and what each stream counts. */
@Tag("hdfs")
class StatisticsTest {
    private static final Path DIRECTORY = new Path("/statistics");
    private static final Path FILE = new Path(DIRECTORY, "f");
    private static final Path OTHER = new Path(DIRECTORY, "other");
    private static final Path MISSING = new Path(DIRECTORY, "missing");
    private static final int BLOCK = 64 * 1024;
    private static final int LENGTH = 3 * BLOCK;

    private CrailHadoopFileSystem fs;

    @BeforeEach
    void write() throws IOException {
        fs = (CrailHadoopFileSystem)
                FileSystem.newInstance(SharedCluster.uri(), SharedCluster.configure(new Configuration()));
        try (FSDataOutputStream out = fs.create(FILE)) {
            out.write(new byte[LENGTH]);
        }
        FileSystem.clearStatistics();
    }

    @AfterEach
    void close() throws IOException {
        fs.delete(DIRECTORY, true);
        fs.close();
    }

    private static long counted(String name) {
        StorageStatistics statistics = FileSystem.getGlobalStorageStatistics().get("crail");
        return statistics.getLong(name);
    }

    @Test
    void shouldCountTheBytesOfAllKindsOfReads() throws Exception {
        try (FSDataInputStream in = fs.open(FILE)) {
            in.readFully(new byte[1000]);
            assertThat(in.read()).isZero();
            assertThat(in.read(ByteBuffer.allocateDirect(10))).isEqualTo(10);
            in.readFully(5, new byte[100]);
            assertThat(in.read(LENGTH - 20L, new byte[100], 0, 100)).isEqualTo(20);
            in.readFully(5, ByteBuffer.allocate(30));
            assertThat(in.read(5, ByteBuffer.allocateDirect(40))).isEqualTo(40);
            List<FileRange> ranges = List.of(FileRange.createFileRange(0, 200), FileRange.createFileRange(100, 300));
            in.readVectored(ranges, ByteBuffer::allocate);
            for (FileRange range : ranges) {
                assertThat(range.getData().get().remaining()).isEqualTo(range.getLength());
            }
            assertThat(in.getIOStatistics().counters())
                    .containsEntry("stream_read_bytes", 1701L)
                    .containsEntry("stream_read_operations", 9L);
        }
        assertThat(counted("bytesRead")).isEqualTo(1701);
        assertThat(counted("bytesWritten")).isZero();
    }

    @Test
    void shouldNotCountReadsThatFindNothing() throws Exception {
        try (FSDataInputStream in = fs.open(FILE)) {
            in.seek(LENGTH);
            assertThat(in.read()).isEqualTo(-1);
            assertThat(in.read(new byte[10])).isEqualTo(-1);
            assertThat(in.read(LENGTH, new byte[10], 0, 10)).isEqualTo(-1);
            assertThat(in.getIOStatistics().counters()).containsEntry("stream_read_bytes", 0L);
        }
        assertThat(counted("bytesRead")).isZero();
    }

    @Test
    void shouldCountWhatIsWrittenAndMadeVisible() throws Exception {
        try (FSDataOutputStream out = fs.create(OTHER)) {
            out.write(new byte[100], 0, 77);
            out.write(1);
            out.hflush();
            out.hsync();
            out.hsync();
            assertThat(out.getIOStatistics().counters())
                    .containsEntry("stream_write_bytes", 78L)
                    .containsEntry("op_hflush", 1L)
                    .containsEntry("op_hsync", 2L);
        }
        try (FSDataOutputStream out = fs.append(OTHER)) {
            out.write(new byte[22]);
        }
        assertThat(counted("bytesWritten")).isEqualTo(100);
        assertThat(counted("bytesRead")).isZero();
    }

    @Test
    void shouldCountSeeksAndSkips() throws Exception {
        try (FSDataInputStream in = fs.open(FILE)) {
            in.seek(5);
            in.seek(0);
            assertThat(in.skip(10)).isEqualTo(10);
            assertThat(in.skip(LENGTH)).isEqualTo(LENGTH - 10);
            assertThatThrownBy(() -> in.seek(-1)).isInstanceOf(IOException.class);
            assertThat(in.getIOStatistics().counters())
                    .containsEntry("stream_read_seek_operations", 2L)
                    .containsEntry("stream_read_skip_operations", 2L)
                    .containsEntry("stream_read_skip_bytes", (long) LENGTH)
                    .containsEntry("stream_read_exceptions", 0L);
        }
    }

    @Test
    void shouldCountReadsThatFail() throws Exception {
        try (FSDataInputStream in = fs.open(FILE)) {
            fs.delete(FILE, false);
            List<ThrowingCallable> reads = List.of(
                    in::read,
                    () -> in.read(new byte[10]),
                    () -> in.read(ByteBuffer.allocate(10)),
                    () -> in.read(ByteBuffer.allocateDirect(10)),
                    () -> in.read(2L * BLOCK, new byte[10], 0, 10),
                    () -> in.read(2L * BLOCK, ByteBuffer.allocate(10)),
                    () -> in.read(2L * BLOCK, ByteBuffer.allocateDirect(10)));
            assertThat(reads).allSatisfy(read -> assertThatThrownBy(read).isInstanceOf(IOException.class));
            assertThat(in.getIOStatistics().counters())
                    .containsEntry("stream_read_exceptions", (long) reads.size())
                    .containsEntry("stream_read_operations", 0L)
                    .containsEntry("stream_read_bytes", 0L);
        }
        assertThat(counted("bytesRead")).isZero();
    }

    @Test
    void shouldCountWritesThatFail() throws Exception {
        FSDataOutputStream out = fs.create(OTHER);
        fs.delete(OTHER, false);
        out.write(new byte[100]);
        assertThatThrownBy(out::hflush).isInstanceOf(IOException.class);
        assertThat(out.getIOStatistics().counters()).containsEntry("stream_write_exceptions", 1L);
        assertThatThrownBy(out::close).isInstanceOf(IOException.class);
        assertThat(out.getIOStatistics().counters()).containsEntry("stream_write_exceptions", 2L);
    }

    @Test
    void shouldCountListingsAsReadOperations() throws Throwable {
        fs.create(OTHER).close();
        List<ThrowingCallable> listings = List.of(
                () -> fs.listStatus(DIRECTORY),
                () -> fs.listStatus(FILE),
                () -> drain(fs.listStatusIterator(DIRECTORY)),
                () -> drain(fs.listStatusIterator(FILE)),
                () -> drain(fs.listLocatedStatus(DIRECTORY)),
                () -> drain(fs.listFiles(DIRECTORY, true)),
                () -> fs.globStatus(new Path(DIRECTORY, "*")));
        assertCounts(listings, 1, 0);
        assertCounts(List.of(() -> fs.getContentSummary(DIRECTORY)), 2, 0); // what it is, and what is in it
    }

    private static void drain(RemoteIterator<? extends FileStatus> listing) throws IOException {
        while (listing.hasNext()) {
            FileStatus ignored = listing.next();
        }
    }

    /** As HDFS counts those that a caller gets as a whole. */
    @Test
    void shouldCountEachPageOfALargeListing() throws Throwable {
        long children = 1000;
        for (int i = 0; i < children; i++) {
            fs.mkdirs(new Path(OTHER, "x".repeat(200) + (1000 + i)));
        }
        int pageSize;
        try (TestClient client = TestClient.open(StoreSettings.of(fs.getUri(), fs.getConf()))) {
            pageSize = client.store()
                    .namespace()
                    .children(OTHER.toString(), "")
                    .get()
                    .children()
                    .size();
        }
        long pages = (children + pageSize - 1) / pageSize;
        assertThat(pages).isGreaterThan(1);
        List<ThrowingCallable> listings = List.of(
                () -> fs.listStatus(OTHER),
                () -> drain(fs.listStatusIterator(OTHER)),
                () -> drain(fs.listLocatedStatus(OTHER)));
        for (ThrowingCallable listing : listings) {
            FileSystem.clearStatistics();
            listing.call();
            assertThat(counted("largeReadOps")).isEqualTo(pages);
            assertThat(counted("readOps")).isEqualTo(pages);
        }
    }

    @Test
    void shouldCountOperationsThatFail() throws Throwable {
        Path below = new Path(FILE, "below");
        assertCounts(
                failing(
                        () -> fs.open(MISSING),
                        () -> fs.open(DIRECTORY),
                        () -> fs.getFileStatus(MISSING),
                        () -> fs.listStatus(MISSING),
                        () -> fs.listStatusIterator(MISSING),
                        () -> fs.listLocatedStatus(MISSING)),
                1,
                0);
        assertCounts(
                failing(
                        () -> fs.create(FILE, false),
                        () -> fs.create(below),
                        () -> fs.createFile(new Path(MISSING, "x")).build(),
                        () -> createWith(CreateFlag.CREATE, FILE),
                        () -> createWith(CreateFlag.OVERWRITE, MISSING),
                        () -> createWith(CreateFlag.APPEND, MISSING),
                        () -> fs.append(MISSING),
                        () -> fs.mkdirs(below),
                        () -> fs.setOwner(MISSING, "anna", null),
                        () -> fs.setPermission(MISSING, new FsPermission((short) 0600)),
                        () -> fs.setTimes(MISSING, 1, 1),
                        () -> fs.rename(MISSING, OTHER, Options.Rename.NONE),
                        () -> fs.delete(DIRECTORY, false)),
                0,
                1);
        assertCounts(List.of(() -> fs.rename(MISSING, OTHER), () -> fs.delete(MISSING, false)), 0, 1);
    }

    private void createWith(CreateFlag flag, Path path) throws IOException {
        fs.create(path, null, EnumSet.of(flag), 4096, (short) 1, BLOCK, null).close();
    }

    private static List<ThrowingCallable> failing(ThrowingCallable... calls) {
        return Stream.of(calls)
                .<ThrowingCallable>map(call -> () -> assertThatThrownBy(call).isInstanceOf(IOException.class))
                .toList();
    }

    @Test
    void shouldCountReadOperations() throws Throwable {
        FileStatus status = fs.getFileStatus(FILE);
        List<ThrowingCallable> calls = List.of(
                () -> fs.open(FILE).close(),
                () -> fs.exists(FILE),
                () -> fs.exists(OTHER),
                () -> fs.getFileStatus(FILE),
                () -> fs.getFileBlockLocations(status, 0, LENGTH),
                () -> fs.getFileBlockLocations(status, LENGTH, 1),
                () -> fs.getStatus());
        assertCounts(calls, 1, 0);
    }

    @Test
    void shouldCountWriteOperations() throws Throwable {
        List<ThrowingCallable> calls = List.of(
                () -> fs.create(OTHER).close(),
                () -> fs.append(OTHER).close(),
                () -> createWith(CreateFlag.APPEND, OTHER),
                () -> createWith(CreateFlag.OVERWRITE, OTHER),
                () -> fs.setOwner(OTHER, "anna", null),
                () -> fs.setPermission(OTHER, new FsPermission((short) 0600)),
                () -> fs.setTimes(OTHER, 1, 1),
                () -> fs.rename(FILE, new Path(DIRECTORY, "moved")),
                () -> fs.rename(OTHER, new Path(DIRECTORY, "moved"), Options.Rename.OVERWRITE),
                () -> fs.mkdirs(OTHER),
                () -> fs.delete(OTHER, false));
        assertCounts(calls, 0, 1);
    }

    /** Each of them counts as so many operations. */
    private static void assertCounts(List<ThrowingCallable> calls, long readOperations, long writeOperations)
            throws Throwable {
        for (ThrowingCallable call : calls) {
            FileSystem.clearStatistics();
            call.call();
            assertThat(counted("readOps")).isEqualTo(readOperations);
            assertThat(counted("largeReadOps")).isZero();
            assertThat(counted("writeOps")).isEqualTo(writeOperations);
        }
    }
}
