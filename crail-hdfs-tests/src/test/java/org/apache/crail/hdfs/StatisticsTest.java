/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
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
    private static final int LENGTH = 3 * 64 * 1024;

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
    void shouldCountReadOperations() throws Throwable {
        FileStatus status = fs.getFileStatus(FILE);
        List<ThrowingCallable> calls = List.of(
                () -> fs.open(FILE).close(),
                () -> fs.exists(FILE),
                () -> fs.exists(OTHER),
                () -> fs.getFileStatus(FILE),
                () -> fs.getFileBlockLocations(status, 0, LENGTH),
                () -> fs.getStatus());
        assertCounts(calls, 1, 0);
    }

    @Test
    void shouldCountWriteOperations() throws Throwable {
        List<ThrowingCallable> calls = List.of(
                () -> fs.create(OTHER).close(),
                () -> fs.append(OTHER).close(),
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
            assertThat(counted("writeOps")).isEqualTo(writeOperations);
        }
    }
}
