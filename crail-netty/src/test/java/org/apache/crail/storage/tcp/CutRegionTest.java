/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import static org.apache.crail.storage.tcp.TierFixture.buffer;
import static org.apache.crail.storage.tcp.TierFixture.bytes;
import static org.apache.crail.storage.tcp.TierFixture.failure;
import static org.apache.crail.storage.tcp.TierFixture.get;
import static org.apache.crail.storage.tcp.TierFixture.random;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.crail.CrailBuffer;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.error.StorageFailureException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.Region;
import org.apache.crail.netty.LeakGuard;
import org.apache.crail.netty.RawSocket;
import org.apache.crail.netty.TcpTierKeys;
import org.apache.crail.storage.StorageEndpoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody cuts the file of a mapped region short while the datanode serves it over its sockets. */
@ExtendWith(LeakGuard.class)
class CutRegionTest {
    private static final int BLOCK = 1 << 20;
    private static final int SMALL = 100;

    /** Until the code that copies has been compiled. */
    private static final int MANY = 10_000;

    private static final int IN_FLIGHT = 500;

    @TempDir(factory = InMemory.class)
    private Path dataPath;

    private final Random random = new Random(3);
    private Optional<Path> localSockets = Optional.empty();
    private boolean mapped;
    private int datanodeThreads;
    private TierFixture fixture;
    private StorageEndpoint endpoint;
    private Region whole;
    private CrailBuffer kept;

    /** The region whose file will be cut, and a whole one that holds what is {@link #kept}. */
    private void start(boolean epoll) throws Exception {
        fixture = new TierFixture(dataPath, epoll);
        fixture.conf.set(CrailKeys.BLOCK_SIZE, (long) BLOCK);
        fixture.conf.set(TcpTierKeys.STORAGE_LIMIT, 4L * BLOCK);
        fixture.conf.set(TcpTierKeys.STORAGE_ALLOCATION_SIZE, 2L * BLOCK);
        fixture.conf.set(TcpTierKeys.UNIX_SOCKETS, localSockets.isPresent());
        localSockets.ifPresent(path -> fixture.conf.set(TcpTierKeys.UNIX_SOCKET_PATH, path.toString()));
        fixture.conf.set(TcpTierKeys.STORAGE_MAPPED, mapped);
        fixture.conf.set(TcpTierKeys.STORAGE_CORES, datanodeThreads);
        fixture.start();
        fixture.conf.set(TcpTierKeys.STORAGE_MAPPED, false); // clients use sockets
        whole = fixture.server.allocateRegion().orElseThrow();
        endpoint = fixture.endpoint();
        kept = random(random, BLOCK);
        get(endpoint.write(kept, block(whole, 0, 1), 0));
    }

    @AfterEach
    void closeFixture() {
        fixture.close();
    }

    private BlockInfo block(Region region, int index, long epoch) {
        long address = (long) index * BLOCK;
        return new BlockInfo(
                fixture.datanode(), region.lba() + address, region.address() + address, BLOCK, region.key(), epoch);
    }

    private BlockInfo cutBlock() {
        return block(fixture.region, 1, 1);
    }

    private Path file() {
        return fixture.server.directory().path().resolve("region-0");
    }

    private Path fence() {
        return file().resolveSibling("region-0.fence");
    }

    private static void cut(Path file, long length) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(length);
        }
    }

    private void writeSmall(int times) throws Exception {
        CrailBuffer bytes = random(random, SMALL);
        for (int done = 0; done < times; done += IN_FLIGHT) {
            List<CompletableFuture<Integer>> writes = new ArrayList<>();
            for (int i = 0; i < Math.min(IN_FLIGHT, times); i++) {
                writes.add(endpoint.write(bytes.clear(), cutBlock(), i));
            }
            for (CompletableFuture<Integer> write : writes) {
                get(write);
            }
        }
    }

    private void assertThatOnlyTheOtherRegionIsServed() throws Exception {
        assertThat(fixture.server.isAlive()).as("whether heartbeats are sent").isFalse();
        assertThat(failure(endpoint.write(buffer(SMALL), cutBlock(), 0)))
                .isInstanceOf(StorageFailureException.class)
                .hasMessageContaining("the memory of " + file() + " has failed")
                .hasMessageContaining("write the data again elsewhere");
        assertThat(failure(endpoint.read(buffer(BLOCK), block(fixture.region, 0, 1), 0)))
                .isInstanceOf(StorageFailureException.class);
        CrailBuffer found = buffer(BLOCK);
        assertThat(get(endpoint.read(found, block(whole, 0, 1), 0))).isEqualTo(BLOCK);
        assertThat(bytes(found, 0, BLOCK)).isEqualTo(bytes(kept, 0, BLOCK));
        assertThat(get(endpoint.write(kept.clear(), block(whole, 1, 1), 0))).isEqualTo(BLOCK);
    }

    /** It is copied, so the system sends a signal. */
    @ParameterizedTest
    @CsvSource({"true, 1", "false, 1", "true, " + MANY, "false, " + MANY})
    void shouldAnswerASmallWriteWithAnError(boolean epoll, int before) throws Exception {
        start(epoll);
        writeSmall(before);
        Set<Channel> connections = Set.copyOf(fixture.server.connections());
        cut(file(), 0);
        assertThat(failure(endpoint.write(buffer(SMALL), cutBlock(), 0)))
                .isInstanceOf(StorageFailureException.class)
                .hasMessageContaining("the memory of " + file() + " has failed");
        assertThatOnlyTheOtherRegionIsServed();
        assertThat(fixture.server.connections()).containsExactlyInAnyOrderElementsOf(connections);
    }

    /**
     * Its first bytes are copied, behind a small one; the others, or all, are received by the kernel, which refuses
     * that.
     */
    @ParameterizedTest
    @CsvSource({"true, 1, 0", "false, 1, 0", "true, 1, 500000", "false, 1, 500000", "true, 0, 0", "false, 0, 0"})
    void shouldNotCallALargeWriteDone(boolean epoll, int smallBefore, int left) throws Exception {
        start(epoll);
        writeSmall(smallBefore);
        cut(file(), BLOCK + left);
        assertThat(failure(endpoint.write(random(random, BLOCK), cutBlock(), 0)))
                .isInstanceOfAny(StorageFailureException.class, DatanodeUnreachableException.class);
        assertThatOnlyTheOtherRegionIsServed();
    }

    /** The kernel refuses to send what is not there. */
    @ParameterizedTest
    @CsvSource({"true, 100, 0", "false, 100, 0", "true, 1048576, 0", "false, 1048576, 0", "true, 1048576, 500000"})
    void shouldEndTheConnectionOfARead(boolean epoll, int length, int left) throws Exception {
        start(epoll);
        cut(file(), BLOCK + left);
        assertThat(failure(endpoint.read(buffer(length), cutBlock(), 0)))
                .isInstanceOf(DatanodeUnreachableException.class);
        assertThatOnlyTheOtherRegionIsServed();
    }

    @ParameterizedTest
    @CsvSource({"true, 0", "false, 0", "true, 500000", "false, 500000"})
    void shouldEndTheConnectionOfALongReadOverALocalSocket(boolean epoll, int left, @TempDir Path sockets)
            throws Exception {
        localSockets = Optional.of(sockets);
        start(epoll);
        cut(file(), BLOCK + left);
        assertThat(failure(endpoint.read(buffer(BLOCK), cutBlock(), 0)))
                .isInstanceOf(DatanodeUnreachableException.class);
        assertThatOnlyTheOtherRegionIsServed();
    }

    /** So that its clients, who connect again, learn what is wrong. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldFindOutWhenAConnectionEnds(boolean epoll) throws Exception {
        start(epoll);
        cut(file(), 0);
        Throwable failure = failure(endpoint.read(buffer(SMALL), cutBlock(), 0));
        while (failure instanceof DatanodeUnreachableException) {
            failure = failure(endpoint.read(buffer(SMALL), cutBlock(), 0));
        }
        assertThat(failure).isInstanceOf(StorageFailureException.class);
        assertThatOnlyTheOtherRegionIsServed();
    }

    @Test
    void shouldFindOutThoughNobodyUsesIt() throws Exception {
        start(true);
        assertThat(fixture.server.isAlive()).isTrue();
        cut(file(), 2L * BLOCK - 1);
        assertThatOnlyTheOtherRegionIsServed();
    }

    /** What is cut off the last page reads as zeros then, and no signal is sent. */
    @Test
    void shouldFindOutThoughNobodyUsesTheFence() throws Exception {
        mapped = true;
        start(true);
        assertThat(fixture.server.isAlive()).isTrue();
        cut(fence(), Files.size(fence()) - 1);
        assertThatOnlyTheOtherRegionIsServed();
    }

    /** The epochs of a region that clients may map are in a file, too. */
    @Test
    void shouldAnswerWithAnErrorWhenTheFenceIsCutShort() throws Exception {
        mapped = true;
        start(true);
        writeSmall(1);
        cut(fence(), 0);
        assertThat(failure(endpoint.write(buffer(SMALL), block(fixture.region, 1, 2), 0)))
                .isInstanceOf(StorageFailureException.class)
                .hasMessageContaining("the memory of " + file() + " has failed");
        assertThatOnlyTheOtherRegionIsServed();
    }

    /**
     * The datanode has one thread, so that nobody uses the fence in the moment in which it is cut: the JVM survives a
     * look at what is gone, not a change of it.
     */
    @ParameterizedTest
    @CsvSource({"true, 1", "false, 1", "true, " + MANY, "false, " + MANY})
    void shouldRefuseAWriteDuringWhichTheFenceIsCutShort(boolean epoll, int before) throws Exception {
        mapped = true;
        datanodeThreads = 1;
        start(epoll);
        writeSmall(before);
        byte[] half = new byte[BLOCK / 2];
        Arrays.fill(half, (byte) 7);
        try (RawSocket writer = fixture.greeted(1)) {
            writer.send(TierFixture.request(TransferProtocol.WRITE, 5, cutBlock(), 0, BLOCK));
            writer.send(half);
            awaitByte(half.length - 1, 7);
            cut(fence(), 0);
            writer.send(half);
            ByteBuffer refusal = writer.receive(TransferProtocol.HEAD_BYTES);
            assertThat(refusal.getLong(0)).isEqualTo(5);
            assertThat(refusal.getInt(8)).isEqualTo(ErrorCode.STORAGE_FAILURE.number());
            assertThat(new String(writer.receiveBytes(refusal.getInt(12)), StandardCharsets.UTF_8))
                    .contains("the memory of " + file() + " has failed");
            assertThatOnlyTheOtherRegionIsServed();
            writer.send(TierFixture.request(TransferProtocol.READ, 6, block(whole, 1, 1), 0, BLOCK));
            assertThat(writer.receive(TransferProtocol.HEAD_BYTES).getInt(8))
                    .as("the connection goes on")
                    .isZero();
        }
    }

    /** Until it has arrived in the block that is to be cut. */
    private void awaitByte(int offset, int value) throws Exception {
        CrailBuffer found = buffer(1);
        do {
            get(endpoint.read(found.clear(), cutBlock(), offset));
        } while (bytes(found, 0, 1)[0] != value);
    }
}
