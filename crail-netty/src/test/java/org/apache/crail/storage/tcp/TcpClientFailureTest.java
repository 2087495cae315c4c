/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import static org.apache.crail.storage.tcp.TierFixture.BLOCK;
import static org.apache.crail.storage.tcp.TierFixture.buffer;
import static org.apache.crail.storage.tcp.TierFixture.bytes;
import static org.apache.crail.storage.tcp.TierFixture.failure;
import static org.apache.crail.storage.tcp.TierFixture.get;
import static org.apache.crail.storage.tcp.TierFixture.random;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailBuffer;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.ClusterMismatchException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.error.OperationTimeoutException;
import org.apache.crail.error.ProtocolMismatchException;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.netty.LeakGuard;
import org.apache.crail.netty.TcpTierKeys;
import org.apache.crail.storage.StorageEndpoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LeakGuard.class)
class TcpClientFailureTest {
    /** Within it the first request arrives at a datanode on a busy machine, with the connection made before. */
    private static final long LIMIT_MS = 3_000;

    @TempDir
    private Path dataPath;

    private TierFixture fixture;

    @BeforeEach
    void makeFixture() {
        fixture = new TierFixture(dataPath, true);
    }

    @AfterEach
    void closeFixture() {
        fixture.close();
    }

    private StorageEndpoint endpointTo(int port) throws IOException {
        return fixture.client().createEndpoint(new DataNodeInfo(0, 0, 0, "127.0.0.1", port));
    }

    private static BlockInfo blockAt(int port) {
        return new BlockInfo(new DataNodeInfo(0, 0, 0, "127.0.0.1", port), 0, 0, BLOCK, 1, 1);
    }

    private void limitTransfersTo(long timeoutMs) {
        fixture.conf.set(CrailKeys.DATA_TIMEOUT, Duration.ofMillis(timeoutMs));
    }

    @Test
    void shouldFailTypedWhenNobodyListens() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        assertThat(failure(endpointTo(port).read(buffer(10), blockAt(port), 0)))
                .isInstanceOf(DatanodeUnreachableException.class)
                .hasMessageContaining("127.0.0.1:" + port);
    }

    @Test
    void shouldFailTypedWhenAHostNameIsUnknown() throws Exception {
        DataNodeInfo datanode = new DataNodeInfo(0, 0, 0, "no-such-host.invalid", 1);
        StorageEndpoint endpoint = fixture.client().createEndpoint(datanode);
        assertThat(failure(endpoint.read(buffer(10), new BlockInfo(datanode, 0, 0, BLOCK, 1, 1), 0)))
                .isInstanceOf(DatanodeUnreachableException.class)
                .hasMessageContaining("no-such-host.invalid:1")
                .hasMessageContaining("cannot be resolved");
    }

    /** D13, D14: a datanode that never answers costs a transfer its time limit, not for ever. */
    @Test
    void shouldTimeOutWhenADatanodeNeverAnswers() throws Exception {
        limitTransfersTo(200);
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            int port = silent.getLocalPort();
            assertThat(failure(endpointTo(port).write(buffer(BLOCK), blockAt(port), 0)))
                    .isInstanceOf(OperationTimeoutException.class)
                    .hasMessageContaining("200 ms")
                    .hasMessageContaining("127.0.0.1:" + port);
        }
    }

    @Test
    void shouldGiveUpOnADatanodeThatDoesNotGreet() throws Exception {
        fixture.conf.set(CrailKeys.CONNECT_TIMEOUT, Duration.ofMillis(200));
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            int port = silent.getLocalPort();
            assertThat(failure(endpointTo(port).read(buffer(10), blockAt(port), 0)))
                    .isInstanceOf(DatanodeUnreachableException.class)
                    .hasMessageContaining("did not answer the greeting");
        }
    }

    /** D14: when a read fails, its buffer is the caller's again: what arrives later does not land in it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotTouchABufferAfterItsReadTimedOut(boolean epoll) throws Exception {
        fixture = new TierFixture(dataPath, epoll);
        limitTransfersTo(LIMIT_MS);
        try (FakeDatanode fake = new FakeDatanode()) {
            StorageEndpoint endpoint = endpointTo(fake.port());
            CrailBuffer buffer = buffer(BLOCK);
            CompletableFuture<Integer> read = endpoint.read(buffer, blockAt(fake.port()), 0);
            fake.accept();
            fake.welcome();
            long id = fake.receiveRequest();
            byte[] half = new byte[BLOCK / 2];
            Arrays.fill(half, (byte) 1);
            fake.sendHead(id, 0, BLOCK);
            fake.send(half);
            assertThat(failure(read)).isInstanceOf(OperationTimeoutException.class);
            buffer.clear();
            buffer.put(new byte[BLOCK]);
            sendUntilRefused(fake, half);
            assertThat(bytes(buffer, 0, BLOCK)).containsOnly(0);
        }
    }

    private static void sendUntilRefused(FakeDatanode fake, byte[] bytes) {
        boolean refused = false;
        for (int i = 0; i < 1_000 && !refused; i++) {
            try {
                fake.send(bytes);
            } catch (IOException e) {
                refused = true;
            }
        }
        assertThat(refused).as("the connection was closed").isTrue();
    }

    @Test
    void shouldFailTheOtherTransfersOfAConnectionThatTimedOut() throws Exception {
        limitTransfersTo(LIMIT_MS);
        try (FakeDatanode fake = new FakeDatanode()) {
            StorageEndpoint endpoint = endpointTo(fake.port());
            List<CompletableFuture<Integer>> reads = new ArrayList<>();
            reads.add(endpoint.read(buffer(10), blockAt(fake.port()), 0));
            fake.accept();
            fake.welcome();
            fake.receiveRequest();
            reads.add(endpoint.read(buffer(10), blockAt(fake.port()), 0));
            assertThat(failure(reads.get(0))).isInstanceOf(OperationTimeoutException.class);
            assertThat(failure(reads.get(1)))
                    .isInstanceOfAny(OperationTimeoutException.class, DatanodeUnreachableException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldFailPendingTransfersWhenTheConnectionBreaks(boolean epoll) throws Exception {
        fixture = new TierFixture(dataPath, epoll);
        try (FakeDatanode fake = new FakeDatanode()) {
            StorageEndpoint endpoint = endpointTo(fake.port());
            CompletableFuture<Integer> read = endpoint.read(buffer(BLOCK), blockAt(fake.port()), 0);
            CompletableFuture<Integer> write = endpoint.write(buffer(BLOCK), blockAt(fake.port()), 0);
            fake.accept();
            fake.welcome();
            fake.sendHead(fake.receiveRequest(), 0, BLOCK);
            fake.send(new byte[100]);
            fake.endConnection();
            assertThat(failure(read)).isInstanceOf(DatanodeUnreachableException.class);
            assertThat(failure(write)).isInstanceOf(DatanodeUnreachableException.class);
            CompletableFuture<Integer> next = endpoint.read(buffer(3), blockAt(fake.port()), 0);
            fake.accept();
            fake.welcome();
            fake.sendHead(fake.receiveRequest(), 0, 3);
            fake.send(new byte[] {1, 2, 3});
            assertThat(get(next)).isEqualTo(3);
        }
    }

    @Test
    void shouldFailTypedWhenAnAnswerMakesNoSense() throws Exception {
        try (FakeDatanode fake = new FakeDatanode()) {
            StorageEndpoint endpoint = endpointTo(fake.port());
            CompletableFuture<Integer> read = endpoint.read(buffer(10), blockAt(fake.port()), 0);
            fake.accept();
            fake.welcome();
            fake.sendHead(fake.receiveRequest(), 0, 11);
            assertThat(failure(read)).isInstanceOf(ProtocolMismatchException.class);
            CompletableFuture<Integer> second = endpoint.read(buffer(10), blockAt(fake.port()), 0);
            fake.accept();
            fake.send("SSH-2.0-OpenSSH_9.2\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(failure(second))
                    .isInstanceOf(ProtocolMismatchException.class)
                    .hasMessageContaining("not a datanode");
        }
    }

    @Test
    void shouldFailTypedWhenTheDatanodeBelongsToAnotherCluster() throws Exception {
        fixture.start();
        fixture.conf.set(CrailKeys.CLUSTER_ID, "elsewhere");
        assertThat(failure(fixture.endpoint().read(buffer(10), fixture.block(0), 0)))
                .isInstanceOf(ClusterMismatchException.class)
                .hasMessageContaining("\"crail\"")
                .hasMessageContaining("\"elsewhere\"");
    }

    /** D11: a datanode that is gone fails its transfers; one that comes back at the same port serves the next. */
    @Test
    void shouldReachANewDatanodeAtTheSamePort() throws Exception {
        fixture.start();
        StorageEndpoint endpoint = fixture.endpoint();
        CrailBuffer data = random(new Random(1), BLOCK);
        assertThat(get(endpoint.write(data, fixture.block(0), 0))).isEqualTo(BLOCK);
        BlockInfo oldBlock = fixture.block(0);
        int port = fixture.server.address().getPort();
        fixture.server.close();
        assertThat(failure(endpoint.read(buffer(BLOCK), oldBlock, 0))).isInstanceOf(DatanodeUnreachableException.class);
        fixture.conf.set(TcpTierKeys.STORAGE_PORT, port);
        fixture.start();
        data.clear();
        assertThat(get(endpoint.write(data, fixture.block(0), 0))).isEqualTo(BLOCK);
        CrailBuffer copy = buffer(BLOCK);
        assertThat(get(endpoint.read(copy, fixture.block(0), 0))).isEqualTo(BLOCK);
        assertThat(bytes(copy, 0, BLOCK)).isEqualTo(bytes(data, 0, BLOCK));
        assertThat(failure(endpoint.read(buffer(BLOCK), oldBlock, 0)))
                .as("a block of the datanode's former life")
                .isInstanceOf(StaleBlockException.class)
                .hasMessageContaining("no such region");
    }

    @Test
    void shouldFailTransfersInFlightWhenTheDatanodeIsClosed() throws Exception {
        fixture.start();
        StorageEndpoint endpoint = fixture.endpoint();
        List<CompletableFuture<Integer>> reads = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            reads.add(endpoint.read(buffer(BLOCK), fixture.block(i % 16), 0));
        }
        get(reads.get(0));
        fixture.server.close();
        int failed = 0;
        for (CompletableFuture<Integer> read : reads) {
            read.exceptionally(e -> -1).get(30, TimeUnit.SECONDS);
            if (read.isCompletedExceptionally()) {
                failed++;
                assertThat(failure(read)).isInstanceOf(DatanodeUnreachableException.class);
            }
        }
        assertThat(failed).isLessThan(1_000);
    }

    @Test
    void shouldFailPendingTransfersWhenTheEndpointIsClosed() throws Exception {
        try (FakeDatanode fake = new FakeDatanode()) {
            StorageEndpoint endpoint = endpointTo(fake.port());
            CompletableFuture<Integer> read = endpoint.read(buffer(10), blockAt(fake.port()), 0);
            fake.accept();
            fake.welcome();
            fake.receiveRequest();
            endpoint.close();
            assertThat(failure(read)).isInstanceOf(ClosedException.class);
        }
    }
}
