/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailInputStream;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailResult;
import org.apache.crail.CrailStore;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.testkit.Await;
import org.apache.crail.testkit.CountedBufferCache;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.Rounds;
import org.apache.crail.testkit.TestClient;
import org.junit.jupiter.api.Test;

/** Asynchronous streams: what is written is what is read, whatever the sizes, offsets and hints. */
public abstract class DirectStreamSuite extends ClusterSuite {
    private static final int MARGIN = 16;
    private static final byte UNTOUCHED = 0x55;

    @Override
    protected MiniCluster.Builder shape() throws Exception {
        return super.shape().datanodes(2).blocksPerDatanode(32);
    }

    @Test
    void shouldReadBackWhatWasWrittenAroundBlockBoundaries() throws Exception {
        int[] sizes = {0, 1, 2, 4095, 4096, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK - 1, 2 * BLOCK, 5 * BLOCK + 17};
        for (int size : sizes) {
            client.write("/f" + size, Pattern.of(size, size));
            assertThat(client.lookup("/f" + size).getCapacity()).isEqualTo(size);
            assertThat(client.read("/f" + size)).isEqualTo(Pattern.of(size, size));
        }
    }

    @Test
    void shouldReadBackChunksOfRandomSizes() throws Exception {
        Random random = new Random(7);
        for (int round = 0; round < 5; round++) {
            CrailFile file = client.createFile("/random" + round);
            int length = 1 + random.nextInt(6 * BLOCK);
            writeInChunks(file, round, length, random, round % 2 == 0 ? 0 : length);
            readInChunks("/random" + round, round, length, random, round % 2 == 0 ? length : 0);
        }
    }

    private static void writeInChunks(CrailFile file, long id, int length, Random random, long hint) throws Exception {
        CrailOutputStream stream = file.getDirectOutputStream(hint);
        assertThat(stream.getWriteHint()).isEqualTo(hint);
        List<Future<CrailResult>> writes = new ArrayList<>();
        int position = 0;
        while (position < length) {
            int chunk = 1 + random.nextInt(Math.min(2 * BLOCK, length - position));
            writes.add(stream.write(TestClient.buffer(Pattern.of(id, position, chunk))));
            position += chunk;
            assertThat(stream.position()).isEqualTo(position);
        }
        long written = 0;
        for (Future<CrailResult> write : writes) {
            written += TestClient.await(write).getLen();
        }
        assertThat(written).isEqualTo(length);
        stream.close();
        assertThat(file.getCapacity()).isEqualTo(length);
    }

    private void readInChunks(String path, long id, int length, Random random, long hint) throws Exception {
        CrailInputStream stream = client.lookup(path).asFile().getDirectInputStream(hint);
        List<CrailBuffer> buffers = new ArrayList<>();
        List<Future<CrailResult>> reads = new ArrayList<>();
        Future<CrailResult> read = null;
        do {
            CrailBuffer buffer = TestClient.emptyBuffer(1 + random.nextInt(2 * BLOCK));
            read = stream.read(buffer);
            if (read != null) {
                reads.add(read);
                buffers.add(buffer);
            }
        } while (read != null);
        int position = 0;
        for (int i = 0; i < reads.size(); i++) {
            int got = (int) TestClient.await(reads.get(i)).getLen();
            assertThat(buffers.get(i).position())
                    .isEqualTo(got)
                    .isEqualTo(buffers.get(i).limit());
            Pattern.verify(id, position, TestClient.bytes(buffers.get(i), 0, got));
            position += got;
        }
        assertThat(position).isEqualTo(length);
        assertThat(stream.available()).isZero();
        stream.close();
    }

    /** D10: transfers honour position and limit of the buffer, over block boundaries too, and touch nothing else. */
    @Test
    void shouldTouchNoByteOutsideOfPositionAndLimit() throws Exception {
        int length = 3 * BLOCK;
        client.write("/file", Pattern.of(1, length));
        CrailInputStream stream = client.lookup("/file").asFile().getDirectInputStream(0);
        stream.seek(BLOCK / 2);
        CrailBuffer buffer = filled(2 * BLOCK);
        buffer.position(MARGIN).limit(buffer.capacity() - MARGIN);
        int wanted = buffer.remaining();

        assertThat(TestClient.await(stream.read(buffer)).getLen()).isEqualTo(wanted);

        assertThat(buffer.position()).isEqualTo(buffer.limit()).isEqualTo(MARGIN + wanted);
        Pattern.verify(1, BLOCK / 2, TestClient.bytes(buffer, MARGIN, MARGIN + wanted));
        assertThat(TestClient.bytes(buffer, 0, MARGIN)).containsOnly(UNTOUCHED);
        assertThat(TestClient.bytes(buffer, MARGIN + wanted, buffer.capacity())).containsOnly(UNTOUCHED);
        stream.close();
    }

    @Test
    void shouldWriteTheBytesBetweenPositionAndLimitOnly() throws Exception {
        CrailFile file = client.createFile("/file");
        CrailBuffer buffer = TestClient.buffer(Pattern.of(1, 2 * BLOCK));
        buffer.position(100).limit(BLOCK + 200);
        CrailOutputStream stream = file.getDirectOutputStream(0);
        CrailBuffer slice = buffer.slice();

        assertThat(TestClient.await(stream.write(buffer)).getLen()).isEqualTo(BLOCK + 100);
        assertThat(TestClient.await(stream.write(slice)).getLen()).isEqualTo(BLOCK + 100);
        stream.close();

        byte[] read = client.read("/file");
        assertThat(read).hasSize(2 * (BLOCK + 100));
        assertThat(Arrays.copyOf(read, BLOCK + 100)).isEqualTo(Pattern.of(1, 100, BLOCK + 100));
        assertThat(Arrays.copyOfRange(read, BLOCK + 100, read.length)).isEqualTo(Pattern.of(1, 100, BLOCK + 100));
    }

    @Test
    void shouldLowerTheLimitWhenTheFileEndsBefore() throws Exception {
        client.write("/file", Pattern.of(1, 100));
        CrailInputStream stream = client.lookup("/file").asFile().getDirectInputStream(0);
        CrailBuffer buffer = filled(1000);
        buffer.position(10);

        assertThat(TestClient.await(stream.read(buffer)).getLen()).isEqualTo(100);

        assertThat(buffer.limit()).isEqualTo(110).isEqualTo(buffer.position());
        assertThat(TestClient.bytes(buffer, 110, 1000)).containsOnly(UNTOUCHED);
        assertThat(stream.read(filled(10))).isNull();
        stream.close();
    }

    @Test
    void shouldReadNothingIntoAFullBufferAndNullAtTheEnd() throws Exception {
        client.write("/file", new byte[10]);
        CrailInputStream stream = client.lookup("/file").asFile().getDirectInputStream(0);
        CrailBuffer full = filled(10);
        full.position(10);

        assertThat(TestClient.await(stream.read(full)).getLen()).isZero();
        stream.seek(10);
        assertThat(stream.read(filled(1))).isNull();
        stream.close();
    }

    @Test
    void shouldSeekInsideTheFileOnly() throws Exception {
        client.write("/file", Pattern.of(1, 2 * BLOCK));
        CrailInputStream stream = client.lookup("/file").asFile().getDirectInputStream(2 * BLOCK);
        Random random = new Random(3);
        for (int i = 0; i < Rounds.of(50); i++) {
            int position = random.nextInt(2 * BLOCK);
            stream.seek(position);
            assertThat(stream.position()).isEqualTo(position);
            assertThat(stream.available()).isEqualTo(2 * BLOCK - position);
            CrailBuffer buffer = TestClient.emptyBuffer(100);
            int got = (int) TestClient.await(stream.read(buffer)).getLen();
            Pattern.verify(1, position, TestClient.bytes(buffer, 0, got));
        }
        assertThatThrownBy(() -> stream.seek(-1)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> stream.seek(2 * BLOCK + 1)).isInstanceOf(IOException.class);
        stream.close();
    }

    @Test
    void shouldAppendWhenAWriterIsOpenedAgain() throws Exception {
        CrailFile file = client.createFile("/file");
        int position = 0;
        for (int size : new int[] {1, BLOCK - 1, 10, 2 * BLOCK, 5}) {
            TestClient.append(file, Pattern.of(1, position, size));
            position += size;
            assertThat(client.read("/file")).isEqualTo(Pattern.of(1, position));
        }
    }

    @Test
    void shouldTakeNoRoomForFilesThatAreClosedEmpty() throws Exception {
        for (int i = 0; i < 12; i++) {
            client.createFile("/e" + i).getDirectOutputStream(0).close();
        }
        assertThat(client.lookup("/e0").getCapacity())
                .as("behind the last close")
                .isZero();
        assertThat(cluster.checkBlocks().allocated()).isZero();
        TestClient other = anotherClient();
        assertThat(other.read("/e0")).isEmpty();
        assertThat(other.lookup("/e0").getBlockLocations(0, BLOCK)).isEmpty();

        for (int i = 0; i < 10; i++) {
            (i % 2 == 0 ? client : other).append("/e" + i, Pattern.of(i, 2 * BLOCK));
        }
        client.append("/e0", Pattern.of(0, 2 * BLOCK, 100));
        for (int i = 1; i < 10; i++) {
            assertThat(client.read("/e" + i)).isEqualTo(Pattern.of(i, 2 * BLOCK));
            assertThat(other.read("/e" + i)).isEqualTo(Pattern.of(i, 2 * BLOCK));
        }
        assertThat(other.read("/e0")).isEqualTo(Pattern.of(0, 2 * BLOCK + 100));
        assertThat(other.read("/e11")).isEmpty();
        Await.until("only whole blocks are held", () -> cluster.checkBlocks().allocated() == 10 * 2 + 1);
    }

    @Test
    void shouldShowOthersWhatHasBeenSynced() throws Exception {
        TestClient other = anotherClient();
        CrailOutputStream stream = client.createFile("/file").getDirectOutputStream(0);
        TestClient.await(stream.write(TestClient.buffer(Pattern.of(1, 1000))));
        TestClient.await(stream.sync());
        assertThat(other.read("/file")).isEqualTo(Pattern.of(1, 1000));

        TestClient.await(stream.write(TestClient.buffer(Pattern.of(1, 1000, BLOCK))));
        stream.close();
        assertThat(other.read("/file")).isEqualTo(Pattern.of(1, 1000 + BLOCK));
    }

    @Test
    void shouldAllowOneWriterForAFileObjectAndNoneForReaders() throws Exception {
        CrailFile file = client.createFile("/file");
        CrailOutputStream stream = file.getDirectOutputStream(0);
        assertThatThrownBy(() -> file.getDirectOutputStream(0)).isInstanceOf(InvalidRequestException.class);
        stream.close();
        file.getDirectOutputStream(0).close();

        CrailFile reader = client.lookup("/file").asFile();
        assertThat(reader.getToken()).isZero();
        assertThatThrownBy(() -> reader.getDirectOutputStream(0)).isInstanceOf(InvalidRequestException.class);
    }

    @Test
    void shouldRefuseClosedStreams() throws Exception {
        CrailFile file = client.createFile("/file");
        CrailOutputStream output = file.getDirectOutputStream(0);
        output.close();
        output.close();
        CrailInputStream input = client.lookup("/file").asFile().getDirectInputStream(0);
        input.close();
        input.close();

        assertThatThrownBy(() -> output.write(filled(1))).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> input.read(filled(1))).isInstanceOf(ClosedException.class);
    }

    @Test
    void shouldPoolBuffersAndRefuseDoubleFrees() throws Exception {
        CrailConfiguration configuration = cluster.configuration();
        String buffers = CountedBufferCache.attach(configuration);
        try (TestClient pooling = TestClient.open(configuration)) {
            CrailStore store = pooling.store();
            CrailBuffer buffer = store.allocateBuffer();
            assertThat(buffer.capacity()).isEqualTo(buffer.remaining()).isEqualTo(BLOCK);
            assertThat(CountedBufferCache.inUse(buffers)).isEqualTo(1);
            store.freeBuffer(buffer);
            store.freeBuffer(null);
            assertThat(CountedBufferCache.inUse(buffers)).isZero();
            assertThatThrownBy(() -> store.freeBuffer(buffer)).isInstanceOf(IOException.class);
        }
    }

    private static CrailBuffer filled(int length) throws Exception {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, UNTOUCHED);
        return TestClient.buffer(bytes);
    }
}
