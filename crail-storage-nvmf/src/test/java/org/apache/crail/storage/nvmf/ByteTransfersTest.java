/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import static org.apache.crail.storage.nvmf.ClientFixture.SECTOR;
import static org.apache.crail.storage.nvmf.ClientFixture.block;
import static org.apache.crail.storage.nvmf.ClientFixture.buffer;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.apache.crail.CrailBuffer;
import org.apache.crail.storage.device.TransferLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ByteTransfersTest {
    private static final int BLOCK = 64 * SECTOR;
    private static final int BLOCKS = 8;

    private static byte[] bytes(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    @Test
    void shouldMoveWholeSectorsWithoutACopyInCommandsOfTheLargestSize() throws Exception {
        try (ClientFixture client = new ClientFixture(BLOCK)) {
            byte[] content = bytes(new Random(1), 20 * SECTOR);
            assertThat(client.endpoint
                            .write(buffer(content), block(0, BLOCK), 2 * SECTOR)
                            .get())
                    .isEqualTo(content.length);
            assertThat(client.device().takeHistory())
                    .extracting(SectorCommand::count)
                    .containsExactly(8, 8, 4);
            CrailBuffer read = buffer(content.length);
            client.endpoint.read(read, block(0, BLOCK), 2 * SECTOR).get();
            assertThat(client.counters.reads()).isEqualTo(3);
            assertThat(client.counters.writes()).isEqualTo(3);
            assertThat(client.counters.copies()).isZero();
            byte[] found = new byte[content.length];
            read.clear().get(found);
            assertThat(found).isEqualTo(content);
        }
    }

    @Test
    void shouldAppendToASectorWithOneReadAndOneWrite() throws Exception {
        try (ClientFixture client = new ClientFixture(BLOCK)) {
            byte[] content = bytes(new Random(1), 300);
            client.endpoint
                    .write(buffer(Arrays.copyOf(content, 200)), block(0, BLOCK), 0)
                    .get();
            client.endpoint
                    .write(buffer(Arrays.copyOfRange(content, 200, 300)), block(0, BLOCK), 200)
                    .get();
            assertThat(client.counters.reads()).isEqualTo(2);
            assertThat(client.counters.writes()).isEqualTo(2);
            assertThat(client.counters.copies()).isEqualTo(2);
            assertThat(Arrays.copyOf(client.medium, 300)).isEqualTo(content);
        }
    }

    @Test
    void shouldMergeAppendsThatWaitForOneSector() throws Exception {
        try (ClientFixture client = new ClientFixture(BLOCK)) {
            client.endpoint.write(buffer(1), block(0, BLOCK), 0).get();
            client.device().silent = true;
            byte[] content = bytes(new Random(1), 400);
            List<CompletableFuture<Integer>> writes = new ArrayList<>();
            for (int i = 0; i < 400; i += 10) {
                writes.add(client.endpoint.write(
                        buffer(Arrays.copyOfRange(content, i, i + 10)), block(0, BLOCK), 100 + i));
            }
            CompletableFuture<Integer> behind = client.endpoint.read(buffer(SECTOR), block(0, BLOCK), 4 * SECTOR);
            while (client.counters.reads() < 3) {
                Thread.onSpinWait(); // until that is posted, and so all writes are: the first may still connect
            }
            client.device().silent = false;
            CompletableFuture.allOf(writes.toArray(new CompletableFuture<?>[0])).get();
            behind.get();
            assertThat(client.counters.commands() - 1).isLessThanOrEqualTo(2 + 2);
            assertThat(Arrays.copyOfRange(client.medium, 100, 500)).isEqualTo(content);
        }
    }

    @Test
    void shouldWriteNothingBesideABuffersLimits() throws Exception {
        try (ClientFixture client = new ClientFixture(BLOCK)) {
            Arrays.fill(client.medium, (byte) 1);
            CrailBuffer buffer = buffer(3 * SECTOR);
            buffer.position(100).limit(100 + SECTOR + 30);
            client.endpoint.read(buffer, block(0, BLOCK), 7).get();
            assertThat(buffer.position()).isEqualTo(buffer.limit()).isEqualTo(100 + SECTOR + 30);
            byte[] found = new byte[3 * SECTOR];
            buffer.clear().get(found);
            byte[] expected = new byte[3 * SECTOR];
            Arrays.fill(expected, 100, 100 + SECTOR + 30, (byte) 1);
            assertThat(found).isEqualTo(expected);
        }
    }

    /**
     * Several clients, each with blocks of its own as the namenode gives them, and many transfers of each in flight.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldDoWhatAnArrayOfBytesDoes(long seed) throws Exception {
        byte[] medium = new byte[BLOCK * BLOCKS];
        byte[] model = new byte[medium.length];
        Random random = new Random(seed);
        List<ClientFixture> clients = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            clients.add(new ClientFixture(medium, 1 + i, new TransferLimits(60_000, 600_000), 60_000));
        }
        List<CompletableFuture<Integer>> writes = new ArrayList<>();
        for (int round = 0; round < 40; round++) {
            for (int i = 0; i < 60; i++) {
                int block = random.nextInt(BLOCKS);
                int offset = random.nextInt(BLOCK);
                int length = 1 + random.nextInt(random.nextBoolean() ? 40 : Math.min(20 * SECTOR, BLOCK));
                byte[] content = bytes(random, Math.min(length, BLOCK - offset));
                System.arraycopy(content, 0, model, block * BLOCK + offset, content.length);
                writes.add(clients.get(block % clients.size())
                        .endpoint
                        .write(buffer(content), block((long) block * BLOCK, BLOCK), offset));
            }
            CompletableFuture.allOf(writes.toArray(new CompletableFuture<?>[0])).get();
            writes.clear();
            assertThat(medium).isEqualTo(model);
            readEverywhere(clients, model, random);
        }
        clients.forEach(ClientFixture::close);
    }

    private static void readEverywhere(List<ClientFixture> clients, byte[] model, Random random) throws Exception {
        List<Runnable> checks = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            int block = random.nextInt(BLOCKS);
            int offset = random.nextInt(BLOCK);
            int length = Math.min(1 + random.nextInt(20 * SECTOR), BLOCK - offset);
            CrailBuffer buffer = buffer(length);
            CompletableFuture<Integer> read = clients.get(random.nextInt(clients.size()))
                    .endpoint
                    .read(buffer, block((long) block * BLOCK, BLOCK), offset);
            checks.add(() -> {
                assertThat(read.join()).isEqualTo(length);
                byte[] found = new byte[length];
                buffer.clear().get(found);
                int begin = block * BLOCK + offset;
                assertThat(found).isEqualTo(Arrays.copyOfRange(model, begin, begin + length));
            });
        }
        checks.forEach(Runnable::run);
    }
}
