/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import static org.apache.crail.storage.rdma.TierFixture.BLOCK;
import static org.apache.crail.storage.rdma.TierFixture.REGION;
import static org.apache.crail.storage.rdma.TierFixture.buffer;
import static org.apache.crail.storage.rdma.TierFixture.bytes;
import static org.apache.crail.storage.rdma.TierFixture.failure;
import static org.apache.crail.storage.rdma.TierFixture.get;
import static org.apache.crail.storage.rdma.TierFixture.random;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.apache.crail.CrailBuffer;
import org.apache.crail.error.BlockBoundsException;
import org.apache.crail.error.ClosedException;
import org.apache.crail.storage.StorageClient;
import org.apache.crail.storage.StorageEndpoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("rdma")
class RdmaTransferTest {
    @TempDir
    private Path dataPath;

    private TierFixture fixture;

    @BeforeEach
    void makeFixture() throws Exception {
        fixture = new TierFixture(dataPath);
    }

    @AfterEach
    void closeFixture() {
        fixture.close();
    }

    @Test
    void shouldMoveExactlyTheRemainingBytesAndTouchNoOthers() throws Exception {
        StorageEndpoint endpoint = fixture.start().endpoint();
        byte[] model = new byte[REGION];
        Random random = new Random(42);
        for (int round = 0; round < 200; round++) {
            int length = round % 3 == 0 ? 1 + random.nextInt(BLOCK) : 1 + random.nextInt(200);
            int offset = round % 5 == 0 ? BLOCK - length : random.nextInt(BLOCK - length + 1);
            int index = random.nextInt(REGION / BLOCK);
            int position = random.nextInt(100);
            CrailBuffer buffer = random(random, position + length + random.nextInt(100));
            byte[] before = bytes(buffer, 0, buffer.capacity());
            buffer.limit(position + length).position(position);
            boolean isWrite = random.nextBoolean();
            CompletableFuture<Integer> transfer = isWrite
                    ? endpoint.write(buffer, fixture.block(index), offset)
                    : endpoint.read(buffer, fixture.block(index), offset);
            assertThat(buffer.position()).isEqualTo(buffer.limit()).isEqualTo(position + length);
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
    @ValueSource(strings = {"passive", "active"})
    void shouldServeManyMoreTransfersThanTheQueueHolds(String type) throws Exception {
        fixture.conf.set(RdmaTierKeys.STORAGE_TYPE.name(), type);
        fixture.conf.set(RdmaTierKeys.STORAGE_QUEUE_SIZE, 5);
        StorageEndpoint endpoint = fixture.start().endpoint();
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
        CrailBuffer pool = buffer(400 * 500);
        CrailBuffer[] targets = new CrailBuffer[400];
        List<CompletableFuture<Integer>> pending = new ArrayList<>();
        for (int i = 0; i < targets.length; i++) {
            pool.clear().position(i * 500).limit(i * 500 + 1 + random.nextInt(500));
            targets[i] = pool.slice();
            pending.add(endpoint.read(targets[i], fixture.block(i % blocks), 0));
        }
        for (int i = 0; i < targets.length; i++) {
            int length = targets[i].capacity();
            assertThat(get(pending.get(i))).isEqualTo(length);
            assertThat(bytes(targets[i], 0, length)).isEqualTo(bytes(written[i % blocks], 0, length));
        }
    }

    @Test
    void shouldTakeOneWorkRequestForAReadAndTwoForAWriteAndOneCompletionEach() throws Exception {
        StorageEndpoint endpoint = fixture.start().endpoint();
        CrailBuffer buffer = random(new Random(1), BLOCK);
        get(endpoint.write(buffer, fixture.block(0), 0));
        assertThat(fixture.tier.counters().workRequests()).isEqualTo(2);
        assertThat(fixture.tier.counters().completions()).isEqualTo(1);
        buffer.clear();
        get(endpoint.read(buffer, fixture.block(0), 0));
        assertThat(fixture.tier.counters().workRequests()).isEqualTo(3);
        assertThat(fixture.tier.counters().completions()).isEqualTo(2);
        assertThat(fixture.tier.counters().connections()).isEqualTo(1);
    }

    @Test
    void shouldShowAWriteToAnotherClientAsSoonAsItHasCompleted() throws Exception {
        StorageEndpoint writer = fixture.start().endpoint();
        StorageEndpoint reader = fixture.endpoint();
        CrailBuffer out = buffer(BLOCK);
        CrailBuffer in = buffer(BLOCK);
        for (int round = 1; round <= 30; round++) {
            out.clear();
            while (out.hasRemaining()) {
                out.putInt(round);
            }
            out.clear();
            get(writer.write(out, fixture.block(1), 0));
            in.clear();
            get(reader.read(in, fixture.block(1), 0));
            assertThat(bytes(in, 0, BLOCK)).isEqualTo(bytes(out, 0, BLOCK));
        }
    }

    @Test
    void shouldCompleteATransferOfNothing() throws Exception {
        StorageEndpoint endpoint = fixture.start().endpoint();
        CrailBuffer empty = buffer(10);
        empty.position(10);
        assertThat(get(endpoint.read(empty, fixture.block(0), BLOCK))).isZero();
        assertThat(get(endpoint.write(empty, fixture.block(0), 0))).isZero();
        assertThat(fixture.tier.counters().workRequests()).isZero();
    }

    @Test
    void shouldRefuseToCrossTheEndOfABlock() throws Exception {
        StorageEndpoint endpoint = fixture.start().endpoint();
        CrailBuffer buffer = buffer(100);
        assertThat(failure(endpoint.read(buffer, fixture.block(0), BLOCK - 99)))
                .isInstanceOf(BlockBoundsException.class);
        assertThat(failure(endpoint.write(buffer, fixture.block(0), -1))).isInstanceOf(BlockBoundsException.class);
        assertThat(failure(endpoint.write(buffer, fixture.block(0), Long.MAX_VALUE)))
                .isInstanceOf(BlockBoundsException.class);
        assertThat(buffer.position()).isZero();
    }

    @Test
    void shouldFailTransfersOfAClosedEndpoint() throws Exception {
        StorageClient client = fixture.start().client();
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
