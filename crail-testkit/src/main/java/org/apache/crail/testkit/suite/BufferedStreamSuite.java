/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.apache.crail.CrailNodeType.DATAFILE;
import static org.apache.crail.CrailNodeType.MULTIFILE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.apache.crail.CrailBufferedInputStream;
import org.apache.crail.CrailBufferedOutputStream;
import org.apache.crail.CrailFile;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.testkit.Await;
import org.apache.crail.testkit.CountedBufferCache;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.Rounds;
import org.apache.crail.testkit.TestClient;
import org.junit.jupiter.api.Test;

/** Blocking streams with read-ahead and write-behind, over files and over bags of files. */
public abstract class BufferedStreamSuite extends ClusterSuite {
    private static final int SLICE = 16 * 1024;

    @Override
    protected MiniCluster.Builder shape() throws Exception {
        return super.shape().datanodes(2).blocksPerDatanode(64);
    }

    @Test
    void shouldReadBackSizesAroundSliceAndBlockBoundaries() throws Exception {
        int[] sizes = {0, 1, SLICE - 1, SLICE, SLICE + 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + SLICE + 3};
        for (int size : sizes) {
            CrailFile file = client.createFile("/f" + size);
            try (CrailBufferedOutputStream stream = file.getBufferedOutputStream(size)) {
                stream.write(Pattern.of(size, size));
                assertThat(stream.position()).isEqualTo(size);
            }
            assertThat(readAll(client.lookup("/f" + size).asFile(), 1000)).isEqualTo(Pattern.of(size, size));
        }
    }

    @Test
    void shouldReadBackChunksOfRandomSizesWrittenInManyWays() throws Exception {
        Random random = new Random(11);
        int length = 4 * BLOCK + 100;
        CrailFile file = client.createFile("/file");
        try (CrailBufferedOutputStream stream = file.getBufferedOutputStream(0)) {
            int position = 0;
            while (position < length) {
                int chunk = Math.min(length - position, 1 + random.nextInt(2 * SLICE));
                byte[] bytes = Pattern.of(5, position, chunk);
                switch (random.nextInt(3)) {
                    case 0 -> stream.write(ByteBuffer.wrap(bytes));
                    case 1 -> stream.write(bytes, 0, chunk);
                    default -> {
                        chunk = 1;
                        stream.write(bytes[0]);
                    }
                }
                position += chunk;
            }
        }
        try (CrailBufferedInputStream stream = client.lookup("/file").asFile().getBufferedInputStream(length)) {
            int position = 0;
            while (position < length) {
                ByteBuffer target = ByteBuffer.allocate(1 + random.nextInt(2 * SLICE));
                int got = stream.read(target);
                assertThat(got).isEqualTo(Math.min(target.capacity(), length - position));
                byte[] bytes = new byte[got];
                target.get(0, bytes);
                Pattern.verify(5, position, bytes);
                position += got;
                assertThat(stream.position()).isEqualTo(position);
            }
            assertThat(stream.read()).isEqualTo(-1);
            assertThat(stream.read(new byte[10])).isEqualTo(-1);
            assertThat(stream.read(ByteBuffer.allocate(10))).isEqualTo(-1);
        }
    }

    @Test
    void shouldAppendWithBufferedStreams() throws Exception {
        CrailFile file = client.createFile("/file");
        int position = 0;
        for (int size : new int[] {10, SLICE, BLOCK + 3, 1}) {
            try (CrailBufferedOutputStream stream = file.getBufferedOutputStream(0)) {
                stream.write(Pattern.of(1, position, size));
            }
            position += size;
        }
        assertThat(client.read("/file")).isEqualTo(Pattern.of(1, position));
    }

    @Test
    void shouldReadBackNumbersAcrossSlices() throws Exception {
        CrailFile file = client.createFile("/file");
        int rounds = Rounds.of(2000);
        try (CrailBufferedOutputStream stream = file.getBufferedOutputStream(0)) {
            for (int i = 0; i < rounds; i++) {
                stream.writeInt(i);
                stream.writeLong(i * 3L);
                stream.writeShort((short) i);
                stream.writeDouble(i / 3.0);
                stream.writeFloat(i / 7.0f);
                stream.write(i);
            }
        }
        try (CrailBufferedInputStream stream = client.lookup("/file").asFile().getBufferedInputStream(0)) {
            for (int i = 0; i < rounds; i++) {
                assertThat(stream.readInt()).isEqualTo(i);
                assertThat(stream.readLong()).isEqualTo(i * 3L);
                assertThat(stream.readShort()).isEqualTo((short) i);
                assertThat(stream.readDouble()).isEqualTo(i / 3.0);
                assertThat(stream.readFloat()).isEqualTo(i / 7.0f);
                assertThat(stream.read()).isEqualTo(i & 0xff);
            }
        }
    }

    /** D24: a number that is cut off by the end of the file is an end of file. */
    @Test
    void shouldMeetTheEndOfFileInsideANumber() throws Exception {
        client.write("/file", new byte[SLICE + 3]);
        try (CrailBufferedInputStream stream = client.lookup("/file").asFile().getBufferedInputStream(0)) {
            stream.seek(SLICE);
            assertThatThrownBy(stream::readInt).isInstanceOf(EOFException.class);
        }
        try (CrailBufferedInputStream stream = client.lookup("/file").asFile().getBufferedInputStream(0)) {
            stream.seek(SLICE + 3);
            assertThatThrownBy(stream::readLong).isInstanceOf(EOFException.class);
        }
    }

    /** D24: seeking behind the end is refused instead of ignored. */
    @Test
    void shouldSeekAndSkip() throws Exception {
        client.write("/file", Pattern.of(1, 2 * BLOCK));
        try (CrailBufferedInputStream stream = client.lookup("/file").asFile().getBufferedInputStream(0)) {
            for (int position : new int[] {5, BLOCK, BLOCK - 1, 2 * BLOCK - 1, 0, SLICE}) {
                stream.seek(position);
                assertThat(stream.position()).isEqualTo(position);
                assertThat((byte) stream.read()).isEqualTo(Pattern.at(1, position));
            }
            stream.seek(10);
            assertThat(stream.skip(BLOCK)).isEqualTo(BLOCK);
            assertThat((byte) stream.read()).isEqualTo(Pattern.at(1, BLOCK + 10));
            stream.seek(2 * BLOCK);
            assertThat(stream.read()).isEqualTo(-1);
            assertThatThrownBy(() -> stream.seek(2 * BLOCK + 1)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> stream.seek(-1)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void shouldReadAtAPositionWithoutMoving() throws Exception {
        client.write("/file", Pattern.of(1, 2 * BLOCK));
        try (CrailBufferedInputStream stream = client.lookup("/file").asFile().getBufferedInputStream(0)) {
            assertThat((byte) stream.read()).isEqualTo(Pattern.at(1, 0));
            byte[] bytes = new byte[1000];
            assertThat(stream.read(BLOCK - 500L, bytes, 0, 1000)).isEqualTo(1000);
            Pattern.verify(1, BLOCK - 500, bytes);
            assertThat(stream.position()).isEqualTo(1);
            assertThat((byte) stream.read()).isEqualTo(Pattern.at(1, 1));
        }
    }

    /** D22: a caller that waits for more bytes than a slice has gets them, or learns that there are no more. */
    @Test
    void shouldTellAvailableBytesUntilTheEnd() throws Exception {
        client.write("/file", Pattern.of(1, BLOCK + 10));
        try (CrailBufferedInputStream stream = client.lookup("/file").asFile().getBufferedInputStream(0)) {
            int read = 0;
            while (read < BLOCK + 10) {
                Await.until("bytes are available", () -> stream.available() > 0);
                byte[] bytes = new byte[stream.available()];
                assertThat(stream.read(bytes)).isEqualTo(bytes.length);
                Pattern.verify(1, read, bytes);
                read += bytes.length;
            }
            assertThat(stream.read()).isEqualTo(-1);
            assertThat(stream.available()).isLessThanOrEqualTo(0);
        }
    }

    /** D22: waiting for a header that crosses the end of a slice ends. */
    @Test
    void shouldHaveMoreThanTheRestOfASliceAvailable() throws Exception {
        client.write("/file", Pattern.of(1, 4 * SLICE));
        try (CrailBufferedInputStream stream = client.lookup("/file").asFile().getBufferedInputStream(0)) {
            assertThat(stream.read(new byte[SLICE - 2])).isEqualTo(SLICE - 2);
            Await.until("8 bytes are available", () -> stream.available() >= 8);
            assertThat(stream.read(new byte[8])).isEqualTo(8);
        }
    }

    /** D23: one may write after purge. */
    @Test
    void shouldWriteAfterPurge() throws Exception {
        CrailFile file = client.createFile("/file");
        try (CrailBufferedOutputStream stream = file.getBufferedOutputStream(0)) {
            stream.write(Pattern.of(1, 100));
            TestClient.await(stream.purge());
            stream.write(Pattern.of(1, 100, 2 * SLICE));
            TestClient.await(stream.purge());
            TestClient.await(stream.sync());
            assertThat(client.read("/file")).isEqualTo(Pattern.of(1, 100 + 2 * SLICE));
            stream.write(Pattern.of(1, 100 + 2 * SLICE, 7));
        }
        assertThat(client.read("/file")).isEqualTo(Pattern.of(1, 107 + 2 * SLICE));
    }

    /** D23: flush begins to write what has been collected. */
    @Test
    void shouldBeginToWriteOnFlush() throws Exception {
        CrailFile file = client.createFile("/file");
        try (CrailBufferedOutputStream stream = file.getBufferedOutputStream(0)) {
            stream.write(Pattern.of(1, 100));
            stream.flush();
            Await.until("the flushed bytes arrived", () -> file.getCapacity() == 100);
            stream.write(Pattern.of(1, 100, 100));
            stream.flush();
        }
        assertThat(client.read("/file")).isEqualTo(Pattern.of(1, 200));
    }

    @Test
    void shouldRefuseClosedStreams() throws Exception {
        CrailFile file = client.createFile("/file");
        CrailBufferedOutputStream output = file.getBufferedOutputStream(0);
        output.write(new byte[100]);
        output.close();
        output.close();
        assertThatThrownBy(() -> output.write(1)).isInstanceOf(IOException.class);

        CrailBufferedInputStream input = client.lookup("/file").asFile().getBufferedInputStream(0);
        input.close();
        input.close();
        assertThatThrownBy(input::read).isInstanceOf(IOException.class);
    }

    @Test
    void shouldGiveAllBuffersBackOnClose() throws Exception {
        CrailConfiguration configuration = cluster.configuration();
        String buffers = CountedBufferCache.attach(configuration);
        try (TestClient counted = TestClient.open(configuration)) {
            for (int i = 0; i < 5; i++) {
                CrailFile file = counted.createFile("/file" + i);
                try (CrailBufferedOutputStream stream = file.getBufferedOutputStream(0)) {
                    stream.write(new byte[3 * BLOCK + 1]);
                }
                CrailBufferedInputStream half =
                        counted.lookup("/file" + i).asFile().getBufferedInputStream(0);
                assertThat(half.read(new byte[BLOCK])).isEqualTo(BLOCK);
                half.close();
            }
            counted.list("/");
            Await.until("all buffers are back", () -> CountedBufferCache.inUse(buffers) == 0);
        }
    }

    @Test
    void shouldReadABagAsOneStream() throws Exception {
        client.create("/bag", MULTIFILE);
        int files = 40;
        long sum = 0;
        long bytes = 0;
        for (int i = 0; i < files; i++) {
            byte[] content = Pattern.of(i, (i % 4) * (SLICE + i));
            client.write("/bag/f" + i, content);
            bytes += content.length;
            sum += sumOf(content);
        }
        for (int outstanding : new int[] {1, 2, 7, 64}) {
            try (CrailBufferedInputStream stream =
                    client.lookup("/bag").asMultiFile().getMultiStream(outstanding)) {
                byte[] all = stream.readAllBytes();
                assertThat(all).hasSize((int) bytes);
                assertThat(sumOf(all)).isEqualTo(sum);
                assertThatThrownBy(() -> stream.seek(0)).isInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void shouldKeepTheBytesOfEachFileOfABagTogether() throws Exception {
        client.create("/bag", MULTIFILE);
        for (int i = 0; i < 10; i++) {
            client.write("/bag/f" + i, Pattern.selfDescribing(i, BLOCK + SLICE));
        }
        try (CrailBufferedInputStream stream =
                client.lookup("/bag").asMultiFile().getMultiStream(4)) {
            boolean[] seen = new boolean[10];
            for (int i = 0; i < 10; i++) {
                int id = (int) Pattern.verifySelfDescribing(stream.readNBytes(BLOCK + SLICE));
                assertThat(seen[id]).isFalse();
                seen[id] = true;
            }
            assertThat(stream.read()).isEqualTo(-1);
        }
    }

    @Test
    void shouldReadBagsWithoutBytes() throws Exception {
        client.create("/empty", MULTIFILE);
        client.create("/bag", MULTIFILE);
        client.create("/bag/empty", DATAFILE);

        for (String path : new String[] {"/empty", "/bag"}) {
            try (CrailBufferedInputStream stream =
                    client.lookup(path).asMultiFile().getMultiStream(2)) {
                assertThat(stream.read()).isEqualTo(-1);
            }
        }
        assertThatThrownBy(() -> client.lookup("/bag").asMultiFile().getMultiStream(0))
                .isInstanceOf(InvalidRequestException.class);
    }

    private static long sumOf(byte[] bytes) {
        long sum = 0;
        for (byte b : bytes) {
            sum += b;
        }
        return sum;
    }

    private static byte[] readAll(CrailFile file, int chunk) throws Exception {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (CrailBufferedInputStream stream = file.getBufferedInputStream(file.getCapacity())) {
            byte[] bytes = new byte[chunk];
            int got = stream.read(bytes);
            while (got > 0) {
                all.write(bytes, 0, got);
                got = stream.read(bytes);
            }
        }
        return all.toByteArray();
    }
}
