/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import static org.apache.crail.storage.tcp.TierFixture.buffer;
import static org.apache.crail.storage.tcp.TierFixture.bytes;
import static org.apache.crail.storage.tcp.TierFixture.failure;
import static org.apache.crail.storage.tcp.TierFixture.get;
import static org.apache.crail.storage.tcp.TierFixture.random;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.crail.CrailBuffer;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.error.StorageFailureException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.Region;
import org.apache.crail.netty.LeakGuard;
import org.apache.crail.netty.RawSocket;
import org.apache.crail.netty.TcpTierKeys;
import org.apache.crail.storage.StorageEndpoint;
import org.apache.crail.storage.file.DiskRegion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks in files on a disk, which are not mapped, and of which writes come in several pieces. */
@ExtendWith(LeakGuard.class)
class DiskTransferTest {
    private static final int BLOCK = 1 << 20;
    private static final int BLOCKS = 4;

    @TempDir
    private Path dataPath;

    private TierFixture fixture;

    private TierFixture start(boolean epoll) throws Exception {
        return start(epoll, 1);
    }

    private TierFixture start(boolean epoll, int regions) throws Exception {
        Assumptions.assumeFalse(Files.getFileStore(dataPath).type().equals("tmpfs"), "no disk at " + dataPath);
        fixture = new TierFixture(dataPath, epoll);
        fixture.conf.set(CrailKeys.BLOCK_SIZE, (long) BLOCK);
        fixture.conf.set(TcpTierKeys.STORAGE_LIMIT, (long) regions * BLOCKS * BLOCK);
        fixture.conf.set(TcpTierKeys.STORAGE_ALLOCATION_SIZE, (long) BLOCKS * BLOCK);
        return fixture.start();
    }

    @AfterEach
    void closeFixture() {
        if (fixture != null) {
            fixture.close();
        }
    }

    private BlockInfo block(int index, long epoch) {
        long address = (long) index * BLOCK;
        return new BlockInfo(fixture.datanode(), address, address, BLOCK, fixture.region.key(), epoch);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldDoWhatAnArrayOfBytesDoes(boolean epoll) throws Exception {
        StorageEndpoint endpoint = start(epoll).endpoint();
        Random random = new Random(11);
        byte[][] model = new byte[BLOCKS][BLOCK];
        for (int round = 0; round < 20; round++) {
            List<CompletableFuture<Integer>> writes = new ArrayList<>();
            for (int i = 0; i < BLOCKS; i++) {
                int length = 1 + random.nextInt(random.nextBoolean() ? BLOCK : 5_000);
                int offset = random.nextInt(BLOCK - length + 1);
                CrailBuffer source = random(random, length);
                System.arraycopy(bytes(source, 0, length), 0, model[i], offset, length);
                writes.add(endpoint.write(source, block(i, 1), offset));
            }
            for (CompletableFuture<Integer> write : writes) {
                assertThat(get(write)).isPositive();
            }
            for (int i = 0; i < BLOCKS; i++) {
                CrailBuffer found = buffer(BLOCK);
                assertThat(get(endpoint.read(found, block(i, 1), 0))).isEqualTo(BLOCK);
                assertThat(bytes(found, 0, BLOCK)).isEqualTo(model[i]);
            }
        }
        try (Stream<Path> files = Files.walk(dataPath)) {
            assertThat(files.filter(file -> file.getFileName().toString().startsWith("region-")))
                    .singleElement()
                    .satisfies(file -> assertThat(Files.size(file)).isEqualTo((long) BLOCKS * BLOCK));
        }
    }

    /** Of all of a block, with epoch 1. */
    private ByteBuffer request(int operation, long id, int block) {
        return TierFixture.request(operation, id, block(block, 1), 0, BLOCK);
    }

    /** The bytes of files count, too, though they take no memory here. */
    @Test
    void shouldStopReadingFromAClientThatDoesNotReadItsAnswers() throws Exception {
        StorageEndpoint neighbour = start(true).endpoint();
        int requests = 100;
        ByteBuffer all = ByteBuffer.allocate(requests * TransferProtocol.HEAD_BYTES);
        for (int i = 0; i < requests; i++) {
            all.put(request(TransferProtocol.READ, i, 0).flip());
        }
        try (RawSocket socket = fixture.greeted(1)) {
            socket.send(all);
            long deadlineNs = System.nanoTime() + 30_000_000_000L;
            while (fixture.server.pendingReplyBytes() < BLOCK) {
                assertThat(System.nanoTime() - deadlineNs)
                        .as("replies wait to be read")
                        .isNegative();
                get(neighbour.read(buffer(10), block(1, 1), 0));
            }
            for (int i = 0; i < 20; i++) {
                get(neighbour.read(buffer(10), block(1, 1), 0));
                assertThat(fixture.server.pendingReplyBytes()).isLessThan(8 << 20);
            }
            for (int i = 0; i < requests; i++) {
                assertThat(socket.receive(TransferProtocol.HEAD_BYTES).getLong(0))
                        .isEqualTo(i);
                assertThat(socket.receiveBytes(BLOCK)).hasSize(BLOCK);
            }
        }
    }

    private Path regionFile() throws Exception {
        try (Stream<Path> files = Files.walk(dataPath)) {
            return files.filter(file -> file.getFileName().toString().startsWith("region-"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTellThatBytesCannotBeReadAndGoOnWithOthers(boolean epoll) throws Exception {
        StorageEndpoint endpoint = start(epoll).endpoint();
        get(endpoint.write(buffer(BLOCK), block(0, 1), 0));
        Set<Channel> connections = Set.copyOf(fixture.server.connections());
        try (FileChannel file = FileChannel.open(regionFile(), StandardOpenOption.WRITE)) {
            file.truncate(BLOCK);
        }
        assertThat(failure(endpoint.read(buffer(5_000), block(1, 1), 100)))
                .isInstanceOf(StorageFailureException.class)
                .hasMessageContaining("the datanode's disk failed (java.io.EOFException: the file ends at " + BLOCK);
        assertThat(get(endpoint.read(buffer(5_000), block(0, 1), 100))).isEqualTo(5_000);
        assertThat(fixture.server.connections()).containsExactlyInAnyOrderElementsOf(connections);
        assertThat(fixture.server.isAlive()).isTrue();
    }

    /** The head of the answer has been sent before the disk is read. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldEndTheConnectionWhenALongReadFails(boolean epoll) throws Exception {
        StorageEndpoint endpoint = start(epoll).endpoint();
        get(endpoint.write(buffer(BLOCK), block(0, 1), 0));
        try (FileChannel file = FileChannel.open(regionFile(), StandardOpenOption.WRITE)) {
            file.truncate(BLOCK);
        }
        assertThat(failure(endpoint.read(buffer(BLOCK), block(1, 1), 0)))
                .isInstanceOf(DatanodeUnreachableException.class);
        assertThat(get(endpoint.read(buffer(BLOCK), block(0, 1), 0))).isEqualTo(BLOCK);
    }

    /** The file of a region, which the test closes, so that the system refuses to write to it. */
    private FileChannel file(Region region) throws CrailException {
        TransferRequest request = new TransferRequest(false, 1, region.key(), 0, BLOCK, 1, 0, BLOCK);
        return ((DiskRegion) fixture.server.regions().open(request).file()).file();
    }

    private static void awaitFirstByte(StorageEndpoint endpoint, BlockInfo block, int value) throws Exception {
        CrailBuffer first = buffer(1);
        do {
            get(endpoint.read(first.clear(), block, 0));
        } while (bytes(first, 0, 1)[0] != value);
    }

    @ParameterizedTest
    @CsvSource({"true, 1048576", "false, 1048576", "true, 100", "false, 100"})
    void shouldServeNothingAnyMoreWhenAWriteIsRefused(boolean epoll, int length) throws Exception {
        StorageEndpoint endpoint = start(epoll).endpoint();
        get(endpoint.write(buffer(BLOCK), block(0, 1), 0));
        Set<Channel> connections = Set.copyOf(fixture.server.connections());
        assertThat(fixture.server.isAlive()).isTrue();
        file(fixture.region).close();
        assertThat(failure(endpoint.write(buffer(length), block(0, 1), 0)))
                .isInstanceOf(StorageFailureException.class)
                .hasMessageContaining("the datanode's disk failed");
        assertThat(fixture.server.isAlive()).isFalse();
        assertThat(failure(endpoint.read(buffer(100), block(0, 1), 0)))
                .isInstanceOf(StorageFailureException.class)
                .hasMessageContaining("write the data again elsewhere");
        assertThat(failure(endpoint.write(buffer(100), block(1, 1), 0))).isInstanceOf(StorageFailureException.class);
        assertThat(fixture.server.connections()).containsExactlyInAnyOrderElementsOf(connections);
    }

    /** They are on the same disk. */
    @Test
    void shouldServeNoOtherRegionEitherWhenAWriteIsRefused() throws Exception {
        StorageEndpoint endpoint = start(true, 2).endpoint();
        Region other = fixture.server.allocateRegion().orElseThrow();
        try (RawSocket writer = fixture.greeted(1)) {
            byte[] half = new byte[BLOCK / 2];
            Arrays.fill(half, (byte) 7);
            writer.send(request(TransferProtocol.WRITE, 1, 1));
            writer.send(half);
            awaitFirstByte(endpoint, block(1, 1), 7);
            file(other).close();
            BlockInfo lost = new BlockInfo(fixture.datanode(), other.lba(), 0, BLOCK, other.key(), 1);
            assertThat(failure(endpoint.write(buffer(100), lost, 0))).isInstanceOf(StorageFailureException.class);
            writer.send(half);
            ByteBuffer refusal = writer.receive(TransferProtocol.HEAD_BYTES);
            assertThat(refusal.getInt(8)).isEqualTo(ErrorCode.STORAGE_FAILURE.number());
            assertThat(failure(endpoint.read(buffer(100), block(0, 1), 0))).isInstanceOf(StorageFailureException.class);
        }
    }

    @Test
    void shouldStopAWriteBetweenItsPiecesWhenItsBlockIsGivenToAnotherNode() throws Exception {
        StorageEndpoint recent = start(true).endpoint();
        try (RawSocket older = fixture.greeted(1)) {
            older.send(request(TransferProtocol.WRITE, 1, 1));
            byte[] half = new byte[BLOCK / 2];
            Arrays.fill(half, (byte) 7);
            older.send(half);
            awaitFirstByte(recent, block(1, 1), 7);
            CrailBuffer newData = random(new Random(4), BLOCK);
            get(recent.write(newData, block(1, 2), 0));
            older.send(half);
            ByteBuffer refusal = older.receive(TransferProtocol.HEAD_BYTES);
            assertThat(refusal.getInt(8)).isEqualTo(ErrorCode.STALE_BLOCK.number());
            older.receive(refusal.getInt(12)); // its text
            CrailBuffer copy = buffer(BLOCK);
            get(recent.read(copy, block(1, 2), 0));
            assertThat(bytes(copy, 0, BLOCK)).isEqualTo(bytes(newData, 0, BLOCK));
            assertThat(failure(recent.read(copy.clear(), block(1, 1), 0))).isInstanceOf(StaleBlockException.class);

            older.send(request(TransferProtocol.READ, 2, 0));
            assertThat(older.receive(TransferProtocol.HEAD_BYTES).getLong(0)).isEqualTo(2);
        }
    }
}
