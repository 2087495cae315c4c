/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.crail.testkit.MiniCluster;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ClusterStorageCapacityExceededException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Streams over files of several blocks, which Hadoop's suites do not have. */
@Tag("hdfs")
class StreamsTest {
    private static final int BLOCK = 64 * 1024;
    private static final int LENGTH = 5 * BLOCK + 1234;
    private static final Path DIRECTORY = new Path("/streams");
    private static final Path FILE = new Path(DIRECTORY, "f");

    private final byte[] bytes = new byte[LENGTH];
    private FileSystem fs;

    @BeforeEach
    void write() throws IOException {
        new Random(7).nextBytes(bytes);
        fs = FileSystem.newInstance(SharedCluster.uri(), SharedCluster.configure(new Configuration()));
        try (FSDataOutputStream out = fs.create(FILE)) {
            out.write(bytes);
        }
    }

    @AfterEach
    void close() throws IOException {
        fs.delete(DIRECTORY, true);
        fs.close();
    }

    private static byte[] contents(ByteBuffer buffer) {
        byte[] contents = new byte[buffer.remaining()];
        buffer.duplicate().get(contents);
        return contents;
    }

    private byte[] expected(long from, int length) {
        return Arrays.copyOfRange(bytes, (int) from, (int) from + length);
    }

    @Test
    void shouldReadVectoredAcrossBlocksIntoArraysAndDirectBuffers() throws Exception {
        List<FileRange> ranges = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            ranges.add(FileRange.createFileRange(i * 7919L, 1 + i * 1000));
        }
        ranges.add(FileRange.createFileRange(0, LENGTH));
        ranges.add(FileRange.createFileRange(LENGTH, 0));
        for (boolean direct : new boolean[] {true, false}) {
            try (FSDataInputStream in = fs.open(FILE)) {
                in.seek(5);
                in.readVectored(ranges, size -> direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size));
                for (FileRange range : ranges) {
                    assertThat(contents(range.getData().get()))
                            .isEqualTo(expected(range.getOffset(), range.getLength()));
                }
                assertThat(in.getPos()).isEqualTo(5);
            }
        }
    }

    /** Nothing waits for a read that waits for the end of the stream. */
    @Test
    void shouldEndAllRangesOfAStreamThatIsClosedMeanwhile() throws Exception {
        List<FileRange> ranges = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            ranges.add(FileRange.createFileRange(0, LENGTH));
        }
        FSDataInputStream in = fs.open(FILE);
        in.readVectored(ranges, ByteBuffer::allocate);
        in.close();
        for (FileRange range : ranges) {
            try {
                ByteBuffer read = range.getData().get(60, TimeUnit.SECONDS);
                assertThat(contents(read)).isEqualTo(bytes);
            } catch (ExecutionException e) {
                assertThat(e).hasCauseInstanceOf(IOException.class);
            }
        }
    }

    /** The buffer belongs to the read until it is over, so an interrupt cannot end it earlier. */
    @Test
    void shouldFinishReadsAtPositionsInSpiteOfAnInterrupt() throws Exception {
        try (FSDataInputStream in = fs.open(FILE)) {
            byte[] array = new byte[2 * BLOCK];
            ByteBuffer direct = ByteBuffer.allocateDirect(2 * BLOCK);
            Thread.currentThread().interrupt();
            in.readFully(10, array);
            assertThat(Thread.interrupted()).isTrue();
            Thread.currentThread().interrupt();
            in.readFully(10, direct);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(array).isEqualTo(expected(10, 2 * BLOCK));
            assertThat(contents(direct.flip())).isEqualTo(expected(10, 2 * BLOCK));
        }
    }

    @Test
    void shouldRefuseRangesOutsideTheFileBeforeReadingAny() throws Exception {
        List<FileRange> ranges = List.of(FileRange.createFileRange(0, 10), FileRange.createFileRange(LENGTH - 1, 2));
        try (FSDataInputStream in = fs.open(FILE)) {
            assertThatThrownBy(() -> in.readVectored(ranges, ByteBuffer::allocate))
                    .isInstanceOf(EOFException.class)
                    .hasMessageContaining(FILE.toString());
            assertThat(ranges.get(0).getData()).isNull();
        }
    }

    @Test
    void shouldReadByteBuffersInSequenceAndAtPositions() throws Exception {
        for (boolean direct : new boolean[] {true, false}) {
            ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(2 * BLOCK) : ByteBuffer.allocate(2 * BLOCK);
            try (FSDataInputStream in = fs.open(FILE)) {
                in.seek(100);
                buffer.position(10).limit(10 + BLOCK);
                assertThat(in.read(buffer)).isEqualTo(BLOCK);
                assertThat(buffer.position()).isEqualTo(10 + BLOCK);
                assertThat(in.getPos()).isEqualTo(100 + BLOCK);
                assertThat(contents(buffer.duplicate().flip().position(10))).isEqualTo(expected(100, BLOCK));
                buffer.clear();
                assertThat(in.read(LENGTH - 77L, buffer)).isEqualTo(77);
                assertThat(contents(buffer.flip())).isEqualTo(expected(LENGTH - 77L, 77));
                buffer.clear();
                assertThat(in.read(LENGTH, buffer)).isEqualTo(-1);
                assertThatThrownBy(() -> in.readFully(LENGTH - 10L, buffer)).isInstanceOf(EOFException.class);
                in.readFully(3, buffer);
                assertThat(contents(buffer.flip())).isEqualTo(expected(3, 2 * BLOCK));
                assertThat(in.getPos()).isEqualTo(100 + BLOCK);
            }
        }
    }

    @Test
    void shouldReadAtPositionsIntoPartsOfArrays() throws Exception {
        byte[] array = new byte[3 * BLOCK];
        ByteBuffer part = ByteBuffer.wrap(array, 1000, 2 * BLOCK).slice();
        assertThat(part.arrayOffset()).isEqualTo(1000);
        byte[] wanted = new byte[array.length];
        try (FSDataInputStream in = fs.open(FILE)) {
            part.position(20).limit(20 + BLOCK);
            assertThat(in.read(77, part)).isEqualTo(BLOCK);
            assertThat(part.position()).isEqualTo(20 + BLOCK);
            System.arraycopy(bytes, 77, wanted, 1020, BLOCK);
            assertThat(array).isEqualTo(wanted);

            part.limit(part.capacity());
            assertThat(in.read(LENGTH - 10L, part)).isEqualTo(10);
            assertThat(part.position()).isEqualTo(30 + BLOCK);
            System.arraycopy(bytes, LENGTH - 10, wanted, 1030 + BLOCK - 10, 10);
            assertThat(array).isEqualTo(wanted);

            part.limit(part.position() + 500);
            in.readFully(3, part);
            assertThat(part.hasRemaining()).isFalse();
            System.arraycopy(bytes, 3, wanted, 1030 + BLOCK, 500);
            assertThat(array).isEqualTo(wanted);
            assertThat(in.getPos()).isZero();
        }
    }

    /** In particular those that Hadoop's base class would do, and whose exceptions it would leave without a path. */
    @Test
    void shouldNameThePathWhenAReadAtAPositionIsOutside() throws Exception {
        byte[] array = new byte[100];
        try (FSDataInputStream in = fs.open(FILE)) {
            List<ThrowingCallable> calls = List.of(
                    () -> in.readFully(LENGTH - 99L, array),
                    () -> in.readFully(LENGTH - 9L, array, 90, 10),
                    () -> in.readFully(LENGTH, array),
                    () -> in.readFully(Long.MAX_VALUE, array),
                    () -> in.readFully(LENGTH - 99L, ByteBuffer.wrap(array)),
                    () -> in.readFully(-1, array),
                    () -> in.readFully(-1, ByteBuffer.wrap(array)),
                    () -> in.read(-1, array, 0, 100),
                    () -> in.read(-1, ByteBuffer.wrap(array)),
                    () -> in.seek(-1),
                    () -> in.seek(LENGTH + 1));
            assertThat(calls).allSatisfy(call -> assertThatThrownBy(call)
                    .isInstanceOf(EOFException.class)
                    .hasMessageContaining(FILE.toString()));
            assertThat(array).isEqualTo(new byte[100]);
            in.readFully(LENGTH + 1, array, 0, 0);
            in.readFully(LENGTH + 1, ByteBuffer.allocate(0));
            in.readFully(LENGTH - 100L, array);
            assertThat(array).isEqualTo(expected(LENGTH - 100L, 100));
            assertThat(in.getPos()).isZero();
        }
    }

    @Test
    void shouldMixSequentialReadsSeeksAndReadsAtPositions() throws Exception {
        Random random = new Random(3);
        byte[] part = new byte[BLOCK + 10];
        try (FSDataInputStream in = fs.open(FILE)) {
            for (int i = 0; i < 200; i++) {
                int from = random.nextInt(LENGTH - part.length);
                if (random.nextBoolean()) {
                    in.seek(from);
                }
                long begin = in.getPos();
                int length = Math.min(1 + random.nextInt(part.length), (int) (LENGTH - begin));
                in.readFully(part, 0, length);
                assertThat(Arrays.copyOf(part, length)).isEqualTo(expected(begin, length));
                in.readFully(from, part, 0, part.length);
                assertThat(part).isEqualTo(expected(from, part.length));
                if (in.getPos() == LENGTH) {
                    in.seek(0);
                }
            }
        }
    }

    @Test
    void shouldShowWhatWasFlushedToOthers() throws Exception {
        Path path = new Path(DIRECTORY, "flushed");
        try (FSDataOutputStream out = fs.create(path)) {
            assertThat(out.hasCapability("hflush")).isTrue();
            assertThat(out.hasCapability(StreamCapabilities.HSYNC)).isTrue();
            out.write(bytes, 0, 100);
            out.hflush();
            assertThat(fs.getFileStatus(path).getLen()).isEqualTo(100);
            out.write(bytes, 100, BLOCK);
            out.hsync();
            assertThat(fs.getFileStatus(path).getLen()).isEqualTo(100 + BLOCK);
            byte[] read = new byte[100 + BLOCK];
            try (FSDataInputStream in = fs.open(path)) {
                in.readFully(read);
            }
            assertThat(read).isEqualTo(expected(0, 100 + BLOCK));
        }
    }

    @Test
    void shouldAppendToTheLastBlock() throws Exception {
        byte[] added = new byte[100];
        new Random(8).nextBytes(added);
        try (FSDataOutputStream out = fs.append(FILE)) {
            assertThat(out.getPos()).isEqualTo(LENGTH);
            out.write(added);
        }
        FileStatus status = fs.getFileStatus(FILE);
        assertThat(status.getLen()).isEqualTo(LENGTH + added.length);
        try (FSDataInputStream in = fs.open(FILE)) {
            byte[] all = in.readAllBytes();
            assertThat(Arrays.copyOf(all, LENGTH)).isEqualTo(bytes);
            assertThat(Arrays.copyOfRange(all, LENGTH, all.length)).isEqualTo(added);
        }
        assertThat(fs.getFileBlockLocations(status, 0, Long.MAX_VALUE)).hasSize(6);
    }

    @Test
    void shouldTellReadersThatTheirFileIsGone() throws Exception {
        try (FSDataInputStream in = fs.open(FILE)) {
            fs.delete(FILE, false);
            assertThatThrownBy(() -> in.readFully(3L * BLOCK, new byte[10]))
                    .isInstanceOf(FileNotFoundException.class)
                    .hasMessageContaining(FILE.toString());
        }
    }

    @Test
    void shouldReplaceAFileWithTheCloseAndLetItsReadersGoOn() throws Exception {
        long length = fs.getFileStatus(FILE).getLen();
        try (FSDataInputStream in = fs.open(FILE)) {
            FSDataOutputStream out = fs.create(FILE, true);
            assertThat(fs.getFileStatus(FILE).getLen()).isEqualTo(length);
            out.close();
            assertThat(fs.getFileStatus(FILE).getLen()).isZero();
            in.readFully(3L * BLOCK, new byte[10]);
        }
    }

    @Test
    void shouldRefuseClosedStreams() throws Exception {
        FSDataInputStream in = fs.open(FILE);
        in.close();
        in.close();
        ByteBuffer direct = ByteBuffer.allocateDirect(10);
        assertClosed(
                in::read,
                () -> in.read(new byte[10]),
                () -> in.read(ByteBuffer.allocate(10)),
                () -> in.read(direct),
                () -> in.read(0, new byte[10], 0, 10),
                () -> in.read(0, ByteBuffer.allocate(10)),
                () -> in.read(0, direct),
                () -> in.readFully(0, new byte[10]),
                () -> in.readFully(0, ByteBuffer.allocate(10)),
                () -> in.readVectored(List.of(FileRange.createFileRange(0, 1)), ByteBuffer::allocate),
                () -> in.seek(0),
                () -> in.skip(1),
                in::available);
        assertThat(direct.position()).isZero();
        FSDataOutputStream out = fs.append(FILE);
        out.close();
        out.close();
        assertClosed(() -> out.write(1), () -> out.write(new byte[10]), out::hflush, out::hsync);
        assertThat(fs.getFileStatus(FILE).getLen()).isEqualTo(LENGTH);
    }

    private static void assertClosed(ThrowingCallable... calls) {
        assertThat(calls).allSatisfy(call -> assertThatThrownBy(call)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(FILE.toString())
                .hasMessageContaining(FSExceptionMessages.STREAM_IS_CLOSED));
    }

    @Test
    void shouldTellWhatInputStreamsAreCapableOf() throws Exception {
        try (FSDataInputStream in = fs.open(FILE)) {
            for (String capability : List.of(
                    StreamCapabilities.READBYTEBUFFER,
                    StreamCapabilities.PREADBYTEBUFFER,
                    StreamCapabilities.UNBUFFER,
                    StreamCapabilities.VECTOREDIO,
                    StreamCapabilities.IOSTATISTICS,
                    "IN:ReadByteBuffer")) {
                assertThat(in.hasCapability(capability)).as(capability).isTrue();
            }
            for (String capability :
                    List.of(StreamCapabilities.READAHEAD, StreamCapabilities.DROPBEHIND, StreamCapabilities.HSYNC)) {
                assertThat(in.hasCapability(capability)).as(capability).isFalse();
            }
        }
    }

    /**
     * As with HDFS: a writer that somebody else's close of the file system, or Hadoop's own at the end, comes first to
     * loses nothing.
     */
    @Test
    void shouldCompleteFilesThatAreBeingWrittenWhenTheFileSystemCloses() throws Exception {
        Path first = new Path(DIRECTORY, "first");
        Path second = new Path(DIRECTORY, "second");
        FileSystem closing = FileSystem.newInstance(SharedCluster.uri(), SharedCluster.configure(new Configuration()));
        FSDataOutputStream out = closing.create(first);
        out.write(bytes, 0, 100);
        closing.create(second).write(bytes);
        closing.close();
        assertThat(fs.getFileStatus(first).getLen()).isEqualTo(100);
        try (FSDataInputStream in = fs.open(second)) {
            assertThat(in.readAllBytes()).isEqualTo(bytes);
        }
        assertThatThrownBy(() -> out.write(1)).isInstanceOf(IOException.class).hasMessageContaining(first.toString());
        out.close();
        closing.close();
    }

    /** The owner may not know that somebody else has closed his stream. */
    @Test
    void shouldTellTheOwnerOfAFileThatItCouldNotBeCompleted() throws Exception {
        try (MiniCluster cluster = SharedCluster.patient().blocksPerDatanode(4).start()) {
            FileSystem closing = SharedCluster.connect(cluster);
            FSDataOutputStream out = closing.create(FILE);
            out.write(bytes, 0, BLOCK + 100); // the first block may be there already
            try (FileSystem other = SharedCluster.connect(cluster)) {
                fill(other);
                assertThatThrownBy(closing::close).isInstanceOf(ClusterStorageCapacityExceededException.class);
            }
            assertThatThrownBy(out::close).isInstanceOf(IOException.class).hasMessageContaining(FILE.toString());
            out.close();
        }
    }

    private void fill(FileSystem store) throws IOException {
        ThrowingCallable filling = () -> {
            for (int i = 0; i < 5; i++) {
                try (FSDataOutputStream out = store.create(new Path(DIRECTORY, "full" + i))) {
                    out.write(bytes, 0, BLOCK);
                }
            }
        };
        assertThatThrownBy(filling).isInstanceOf(ClusterStorageCapacityExceededException.class);
    }

    @Test
    void shouldCloseAFileSystemWhoseFileWasDeletedWhileItWasWritten() throws Exception {
        Path path = new Path(DIRECTORY, "deleted");
        FileSystem closing = FileSystem.newInstance(SharedCluster.uri(), SharedCluster.configure(new Configuration()));
        FSDataOutputStream out = closing.create(path);
        out.write(bytes);
        fs.delete(path, false);
        closing.close();
        assertThatThrownBy(out::close).isInstanceOf(IOException.class).hasMessageContaining(path.toString());
    }

    @Test
    void shouldReadAtPositionsFromManyThreads() throws Exception {
        try (FSDataInputStream in = fs.open(FILE)) {
            PositionedReaders.read(in, bytes);
        }
    }

    @Test
    void shouldRefuseBuffersThatCannotBeWritten() throws Exception {
        ByteBuffer readOnly = ByteBuffer.allocateDirect(10).asReadOnlyBuffer();
        try (FSDataInputStream in = fs.open(FILE)) {
            assertThatThrownBy(() -> in.read(readOnly)).isInstanceOf(ReadOnlyBufferException.class);
            assertThatThrownBy(() -> in.read(5, readOnly)).isInstanceOf(ReadOnlyBufferException.class);
            assertThat(in.getPos()).isZero();
        }
    }
}
