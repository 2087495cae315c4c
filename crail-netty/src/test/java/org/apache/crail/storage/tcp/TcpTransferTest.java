/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import static org.apache.crail.storage.tcp.TierFixture.BLOCK;
import static org.apache.crail.storage.tcp.TierFixture.REGION;
import static org.apache.crail.storage.tcp.TierFixture.buffer;
import static org.apache.crail.storage.tcp.TierFixture.bytes;
import static org.apache.crail.storage.tcp.TierFixture.failure;
import static org.apache.crail.storage.tcp.TierFixture.get;
import static org.apache.crail.storage.tcp.TierFixture.random;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.Channel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.apache.crail.CrailBuffer;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.BlockBoundsException;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.netty.BufferSizes;
import org.apache.crail.netty.LeakGuard;
import org.apache.crail.storage.StorageClient;
import org.apache.crail.storage.StorageEndpoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LeakGuard.class)
class TcpTransferTest {
    @TempDir(factory = InMemory.class)
    private Path dataPath;

    private TierFixture fixture;

    private TierFixture start(boolean epoll) throws Exception {
        fixture = new TierFixture(dataPath, epoll).start();
        return fixture;
    }

    @AfterEach
    void closeFixture() {
        if (fixture != null) {
            fixture.close();
        }
    }

    /** D10: a read fills the buffer from its position to its limit, wherever that is, and nothing else. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldMoveExactlyTheBytesBetweenPositionAndLimit(boolean epoll) throws Exception {
        StorageEndpoint endpoint = start(epoll).endpoint();
        Random random = new Random(42);
        byte[] model = new byte[REGION];
        for (int i = 0; i < 400; i++) {
            int index = random.nextInt(REGION / BLOCK);
            int length = random.nextInt(4) == 0 ? BLOCK : 1 + random.nextInt(BLOCK);
            int offset = random.nextInt(BLOCK - length + 1);
            int position = random.nextInt(1_000);
            CrailBuffer buffer = random(random, position + length + random.nextInt(1_000));
            byte[] before = bytes(buffer, 0, buffer.capacity());
            buffer.limit(position + length).position(position);
            BlockInfo block = fixture.block(index);
            boolean isWrite = random.nextBoolean();
            CompletableFuture<Integer> transfer =
                    isWrite ? endpoint.write(buffer, block, offset) : endpoint.read(buffer, block, offset);
            assertThat(buffer.position()).as("position when the call returns").isEqualTo(position + length);
            assertThat(buffer.limit()).isEqualTo(position + length);
            assertThat(get(transfer)).isEqualTo(length);
            int modelStart = index * BLOCK + offset;
            byte[] expected = before.clone();
            if (isWrite) {
                System.arraycopy(before, position, model, modelStart, length);
            } else {
                System.arraycopy(model, modelStart, expected, position, length);
            }
            assertThat(bytes(buffer, 0, buffer.capacity())).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldServeManyTransfersInFlight(boolean epoll) throws Exception {
        StorageEndpoint endpoint = start(epoll).endpoint();
        Random random = new Random(7);
        int blocks = REGION / BLOCK;
        CrailBuffer[] written = new CrailBuffer[blocks];
        List<CompletableFuture<Integer>> writes = new ArrayList<>();
        for (int i = 0; i < blocks; i++) {
            written[i] = random(random, BLOCK);
            writes.add(endpoint.write(written[i], fixture.block(i), 0));
        }
        for (CompletableFuture<Integer> write : writes) {
            assertThat(get(write)).isEqualTo(BLOCK);
        }
        int reads = 2_000;
        CrailBuffer[] targets = new CrailBuffer[reads];
        List<CompletableFuture<Integer>> pending = new ArrayList<>();
        for (int i = 0; i < reads; i++) {
            targets[i] = buffer(1 + random.nextInt(i % 10 == 0 ? BLOCK : 5_000));
            pending.add(endpoint.read(targets[i], fixture.block(i % blocks), 0));
        }
        for (int i = 0; i < reads; i++) {
            int length = targets[i].capacity();
            assertThat(get(pending.get(i))).isEqualTo(length);
            assertThat(bytes(targets[i], 0, length)).isEqualTo(bytes(written[i % blocks], 0, length));
        }
    }

    @Test
    void shouldCompleteATransferOfNothing() throws Exception {
        StorageEndpoint endpoint = start(true).endpoint();
        CrailBuffer empty = buffer(10);
        empty.position(10);
        assertThat(get(endpoint.read(empty, fixture.block(0), BLOCK))).isZero();
        assertThat(get(endpoint.write(empty, fixture.block(0), 0))).isZero();
    }

    @Test
    void shouldRefuseToCrossTheEndOfABlock() throws Exception {
        StorageEndpoint endpoint = start(true).endpoint();
        CrailBuffer buffer = buffer(100);
        assertThat(failure(endpoint.read(buffer, fixture.block(0), BLOCK - 99)))
                .isInstanceOf(BlockBoundsException.class);
        assertThat(failure(endpoint.write(buffer, fixture.block(0), -1))).isInstanceOf(BlockBoundsException.class);
        assertThat(failure(endpoint.write(buffer, fixture.block(0), Long.MAX_VALUE)))
                .isInstanceOf(BlockBoundsException.class);
        assertThat(fixture.server.connections()).as("refused here").isEmpty();
        assertThat(buffer.position()).isZero();
    }

    private static void assertRefused(StorageEndpoint endpoint, BlockInfo block, Class<? extends CrailException> why)
            throws Exception {
        CrailBuffer attempt = random(new Random(2), BLOCK);
        assertThat(failure(endpoint.write(attempt, block, 0))).as("%s", block).isInstanceOf(why);
        attempt.clear();
        assertThat(failure(endpoint.read(attempt, block, 0))).isInstanceOf(why);
    }

    /** D11: what a datanode refuses is answered, and the connection stays usable. */
    @Test
    void shouldAnswerRequestsForBlocksThatDoNotExist() throws Exception {
        StorageEndpoint endpoint = start(true).endpoint();
        BlockInfo good = fixture.block(1);
        CrailBuffer data = random(new Random(1), BLOCK);
        assertThat(get(endpoint.write(data, good, 0))).isEqualTo(BLOCK);
        List<BlockInfo> formerRegions = List.of(
                new BlockInfo(fixture.datanode(), 0, 0, BLOCK, good.getLkey() + 1, 1),
                new BlockInfo(fixture.datanode(), 0, 0, BLOCK, 0, 1));
        for (BlockInfo block : formerRegions) {
            assertRefused(endpoint, block, StaleBlockException.class);
        }
        List<BlockInfo> bad = List.of(
                new BlockInfo(fixture.datanode(), 0, REGION, BLOCK, good.getLkey(), 1),
                new BlockInfo(fixture.datanode(), 0, Long.MAX_VALUE, BLOCK, good.getLkey(), 1),
                new BlockInfo(fixture.datanode(), 0, -BLOCK, BLOCK, good.getLkey(), 1),
                new BlockInfo(fixture.datanode(), 0, BLOCK + 1, BLOCK, good.getLkey(), 1),
                new BlockInfo(fixture.datanode(), 0, 0, BLOCK + 1, good.getLkey(), 1));
        for (BlockInfo block : bad) {
            assertRefused(endpoint, block, BlockBoundsException.class);
        }
        CrailBuffer copy = buffer(BLOCK);
        assertThat(get(endpoint.read(copy, good, 0))).isEqualTo(BLOCK);
        assertThat(bytes(copy, 0, BLOCK)).isEqualTo(bytes(data, 0, BLOCK));
        assertThat(fixture.server.connections()).hasSize(1);
    }

    /** What comes in with a head, at most; all else is received where it belongs. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldCopyLittleOfLargePayloads(boolean epoll) throws Exception {
        StorageEndpoint endpoint = start(epoll).endpoint();
        for (int i = 0; i < 10; i++) {
            assertThat(get(endpoint.write(random(new Random(i), BLOCK), fixture.block(i), 0)))
                    .isEqualTo(BLOCK);
        }
        Channel served = fixture.server.connections().iterator().next();
        TransferHandler handler = served.pipeline().get(TcpServerConnection.class);
        assertThat(served.eventLoop().submit(handler::unstagedBytes).get())
                .isBetween(1L, (long) BufferSizes.LARGEST_REUSED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRefuseTransfersOfAnOlderEpoch(boolean epoll) throws Exception {
        StorageClient client = start(epoll).client();
        StorageEndpoint old = client.createEndpoint(fixture.datanode());
        StorageEndpoint recent = client.createEndpoint(fixture.datanode());
        assertThat(get(old.write(random(new Random(1), BLOCK), fixture.block(3, 5), 0)))
                .isEqualTo(BLOCK);
        CrailBuffer data = random(new Random(2), BLOCK);
        assertThat(get(recent.write(data, fixture.block(3, 6), 0))).isEqualTo(BLOCK);
        assertThat(failure(old.write(random(new Random(3), BLOCK), fixture.block(3, 5), 0)))
                .isInstanceOf(StaleBlockException.class)
                .hasMessageContaining("epoch 6");
        assertThat(failure(old.read(buffer(BLOCK), fixture.block(3, 5), 0))).isInstanceOf(StaleBlockException.class);
        CrailBuffer copy = buffer(BLOCK);
        assertThat(get(old.read(copy, fixture.block(3, 6), 0))).isEqualTo(BLOCK);
        assertThat(bytes(copy, 0, BLOCK)).isEqualTo(bytes(data, 0, BLOCK));
    }

    /** D33: addresses of 16 bytes work. */
    @Test
    void shouldWorkOverIpv6() throws Exception {
        fixture = new TierFixture(dataPath, true);
        fixture.conf.set(CrailKeys.DATANODE_BIND, "::1");
        try {
            fixture.start();
        } catch (ConfigurationException e) {
            assumeTrue(false, "no IPv6 on this host: " + e.getMessage());
        }
        assertThat(get(fixture.endpoint().write(buffer(10), fixture.block(0), 0)))
                .isEqualTo(10);
        assertThat(fixture.datanode().address()).startsWith("[");
    }

    @Test
    void shouldServeTwoClientsAtOnce() throws Exception {
        StorageEndpoint first = start(true).endpoint();
        StorageEndpoint second = fixture.endpoint();
        CrailBuffer[] data = {random(new Random(1), BLOCK), random(new Random(2), BLOCK)};
        List<CompletableFuture<Integer>> writes = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            data[0].clear();
            writes.add(first.write(data[0], fixture.block(0), 0));
            data[1].clear();
            writes.add(second.write(data[1], fixture.block(1), 0));
        }
        for (CompletableFuture<Integer> write : writes) {
            get(write);
        }
        for (int i = 0; i < 2; i++) {
            CrailBuffer copy = buffer(BLOCK);
            get((i == 0 ? second : first).read(copy, fixture.block(i), 0));
            assertThat(Arrays.equals(bytes(copy, 0, BLOCK), bytes(data[i], 0, BLOCK)))
                    .isTrue();
        }
    }

    @Test
    void shouldFailTransfersOfAClosedEndpoint() throws Exception {
        StorageClient client = start(true).client();
        StorageEndpoint endpoint = client.createEndpoint(fixture.datanode());
        get(endpoint.write(buffer(10), fixture.block(0), 0));
        endpoint.close();
        assertThat(failure(endpoint.read(buffer(10), fixture.block(0), 0))).isInstanceOf(ClosedException.class);
        StorageEndpoint other = client.createEndpoint(fixture.datanode());
        get(other.read(buffer(10), fixture.block(0), 0));
        client.close();
        assertThat(failure(other.read(buffer(10), fixture.block(0), 0))).isInstanceOf(ClosedException.class);
        assertThat(other.isLocal()).isFalse();
    }
}
