/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import static org.apache.crail.storage.tcp.TierFixture.BLOCK;
import static org.apache.crail.storage.tcp.TierFixture.buffer;
import static org.apache.crail.storage.tcp.TierFixture.bytes;
import static org.apache.crail.storage.tcp.TierFixture.failure;
import static org.apache.crail.storage.tcp.TierFixture.get;
import static org.apache.crail.storage.tcp.TierFixture.random;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.crail.CrailBuffer;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.netty.LeakGuard;
import org.apache.crail.netty.SocketAddresses;
import org.apache.crail.netty.TcpTierKeys;
import org.apache.crail.storage.StorageEndpoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LeakGuard.class)
class UnixTransferTest {
    private static final int LONG_BLOCK = 1 << 20;

    @TempDir
    private Path dataPath;

    @TempDir
    private Path directory;

    private final Random random = new Random(11);
    private TierFixture fixture;

    private TierFixture start(boolean epoll, boolean unixSockets) throws Exception {
        fixture = new TierFixture(dataPath, epoll);
        fixture.conf.set(TcpTierKeys.UNIX_SOCKETS, unixSockets);
        fixture.conf.set(TcpTierKeys.UNIX_SOCKET_PATH, directory.toString());
        return fixture.start();
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    private List<Path> sockets() throws Exception {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".sock")).toList();
        }
    }

    private void assertCopies(StorageEndpoint endpoint, int block) throws Exception {
        CrailBuffer written = random(random, BLOCK);
        assertThat(get(endpoint.write(written, fixture.block(block), 0))).isEqualTo(BLOCK);
        CrailBuffer read = buffer(BLOCK);
        read.position(100).limit(BLOCK - 200);
        get(endpoint.read(read, fixture.block(block), 100));
        assertThat(bytes(read, 100, BLOCK - 200)).isEqualTo(bytes(written, 100, BLOCK - 200));
        assertThat(bytes(read, 0, 100)).containsOnly(0);
    }

    private boolean isOverTheSocket() {
        List<Channel> open = new ArrayList<>(fixture.server.connections());
        assertThat(open).hasSize(1);
        return SocketAddresses.isLocalSocket(open.get(0));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldMoveBytesOverTheSocket(boolean epoll) throws Exception {
        start(epoll, true);
        StorageEndpoint endpoint = fixture.endpoint();
        assertCopies(endpoint, 3);
        assertThat(isOverTheSocket()).isTrue();
        List<CompletableFuture<Integer>> inFlight = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            inFlight.add(endpoint.write(random(random, BLOCK), fixture.block(i % 10), 0));
            inFlight.add(endpoint.read(buffer(BLOCK), fixture.block(i % 10), 0));
        }
        for (CompletableFuture<Integer> transfer : inFlight) {
            assertThat(get(transfer)).isEqualTo(BLOCK);
        }
        assertCopies(endpoint, 4);
        assertThat(isOverTheSocket()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldMoveLongRangesOfMemory(boolean epoll, @TempDir(factory = InMemory.class) Path memory) throws Exception {
        fixture = new TierFixture(memory, epoll);
        fixture.conf.set(CrailKeys.BLOCK_SIZE, (long) LONG_BLOCK);
        fixture.conf.set(TcpTierKeys.STORAGE_LIMIT, 4L * LONG_BLOCK);
        fixture.conf.set(TcpTierKeys.STORAGE_ALLOCATION_SIZE, 4L * LONG_BLOCK);
        fixture.conf.set(TcpTierKeys.UNIX_SOCKETS, true);
        fixture.conf.set(TcpTierKeys.UNIX_SOCKET_PATH, directory.toString());
        fixture.start();
        StorageEndpoint endpoint = fixture.endpoint();
        CrailBuffer written = random(random, LONG_BLOCK);
        get(endpoint.write(written, longBlock(2), 0));
        List<CrailBuffer> found = new ArrayList<>();
        List<CompletableFuture<Integer>> inFlight = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            CrailBuffer part = buffer(LONG_BLOCK);
            part.limit(LONG_BLOCK - 7 * i);
            found.add(part);
            inFlight.add(endpoint.read(part, longBlock(2), 7L * i));
        }
        for (CompletableFuture<Integer> transfer : inFlight) {
            get(transfer);
        }
        for (int i = 0; i < 20; i++) {
            assertThat(bytes(found.get(i), 0, LONG_BLOCK - 7 * i)).isEqualTo(bytes(written, 7 * i, LONG_BLOCK));
        }
        assertThat(isOverTheSocket()).isTrue();
    }

    private BlockInfo longBlock(int index) {
        long address = (long) index * LONG_BLOCK;
        return new BlockInfo(
                fixture.datanode(),
                fixture.region.lba() + address,
                fixture.region.address() + address,
                LONG_BLOCK,
                fixture.region.key(),
                1);
    }

    @ParameterizedTest
    @CsvSource({"true, false", "false, true"})
    void shouldStayWithTcpIfOneSideHasItSwitchedOff(boolean onServer, boolean onClient) throws Exception {
        start(true, onServer);
        fixture.conf.set(TcpTierKeys.UNIX_SOCKETS, onClient);
        assertCopies(fixture.endpoint(), 1);
        assertThat(isOverTheSocket()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldStayWithTcpIfTheSocketCannotBeReached(boolean epoll) throws Exception {
        start(epoll, true);
        Files.delete(sockets().get(0));
        assertCopies(fixture.endpoint(), 1);
        assertThat(isOverTheSocket()).isFalse();
    }

    @Test
    void shouldFenceFormerOwners() throws Exception {
        start(true, true);
        StorageEndpoint endpoint = fixture.endpoint();
        get(endpoint.write(random(random, 8), fixture.block(1, 5), 0));
        assertThat(failure(endpoint.write(random(random, 8), fixture.block(1, 4), 0)))
                .isInstanceOf(StaleBlockException.class);
        assertCopies(endpoint, 2);
    }

    @Test
    void shouldFailTypedWhenTheDatanodeStopsAndLeaveNoSocket() throws Exception {
        start(true, true);
        StorageEndpoint endpoint = fixture.endpoint();
        assertCopies(endpoint, 1);
        fixture.server.close();
        assertThat(sockets()).isEmpty();
        assertThat(failure(endpoint.read(buffer(8), fixture.block(1), 0)))
                .isInstanceOf(DatanodeUnreachableException.class);
    }

    @Test
    void shouldOfferItsMemoryOverTheSocketToo(@TempDir(factory = InMemory.class) Path memory) throws Exception {
        fixture = new TierFixture(memory, true);
        fixture.conf.set(TcpTierKeys.STORAGE_MAPPED, true);
        fixture.conf.set(TcpTierKeys.UNIX_SOCKETS, true);
        fixture.conf.set(TcpTierKeys.UNIX_SOCKET_PATH, directory.toString());
        fixture.start();
        StorageEndpoint endpoint = fixture.endpoint();
        while (!endpoint.isLocal()) {
            get(endpoint.read(buffer(1), fixture.block(15), 0));
        }
        assertCopies(endpoint, 1);
        assertThat(isOverTheSocket()).isTrue();
    }
}
