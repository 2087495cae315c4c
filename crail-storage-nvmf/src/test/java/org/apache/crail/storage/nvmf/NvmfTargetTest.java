/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import static org.apache.crail.storage.nvmf.ClientFixture.buffer;
import static org.apache.crail.storage.nvmf.ClientFixture.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.apache.crail.CrailBuffer;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.Region;
import org.apache.crail.storage.StorageClient;
import org.apache.crail.storage.StorageEndpoint;
import org.apache.crail.storage.StorageServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A datanode and clients at the lab's target. */
@Tag("rdma")
@Tag("nvmf")
class NvmfTargetTest {
    private static final int BLOCK = 1 << 20;
    private static final String NQN = System.getenv().getOrDefault("LAB_NQN", "nqn.2016-06.io.crail:lab");
    private static final Path ENABLE = Path.of("/sys/kernel/config/nvmet/subsystems", NQN, "namespaces/1/enable");

    private final CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
    private final NvmfStorageTier tier = new NvmfStorageTier();

    @BeforeEach
    void configure() {
        conf.set(CrailKeys.BLOCK_SIZE, (long) BLOCK);
        conf.set(CrailKeys.CONNECT_TIMEOUT.name(), "30s");
        conf.set(CrailKeys.DATA_TIMEOUT.name(), "30s");
        conf.set(CrailKeys.TOKEN_EXPIRATION.name(), "200s");
        conf.set(NvmfTierKeys.STORAGE_IP.name(), System.getenv().getOrDefault("LAB_ADDRESS", "10.0.0.1"));
        conf.set(NvmfTierKeys.STORAGE_PORT, 4420);
        conf.set(NvmfTierKeys.STORAGE_NQN.name(), NQN);
        conf.set(NvmfTierKeys.STORAGE_KEEPALIVE.name(), "500ms");
    }

    private static DataNodeInfo info(StorageServer server) {
        return new DataNodeInfo(0, 0, 0, server.host(), server.address().getPort(), server.locator());
    }

    @SuppressWarnings("ThreadPriorityCheck") // yielding is a courtesy; nothing is wrong without it
    private static void await(String what, BooleanSupplier condition) {
        long deadlineNs = System.nanoTime() + 60_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadlineNs).as(what).isNegative();
            Thread.yield();
        }
    }

    @Test
    void shouldMoveBytesAtOneCommandForEachWholePart() throws Exception {
        try (StorageServer server = tier.launchServer(conf, List.of());
                StorageClient client = tier.createClient(conf)) {
            Region region = server.allocateRegion().orElseThrow();
            assertThat(region.address()).isEqualTo(BLOCK);
            assertThat(server.isAlive()).isTrue();
            StorageEndpoint endpoint = client.createEndpoint(info(server));
            BlockInfo block = new BlockInfo(info(server), 0, region.address(), BLOCK, 0, 1);
            byte[] content = new byte[BLOCK];
            new Random(1).nextBytes(content);
            CrailBuffer buffer = buffer(content);
            endpoint.write(buffer, block, 0).get();
            long writes = tier.counters().writes();
            long registrations = tier.counters().registrations();
            endpoint.read(buffer.clear().limit(4096), block, 8192).get();
            assertThat(tier.counters().reads()).isEqualTo(1);
            byte[] found = new byte[4096];
            buffer.clear().get(found);
            assertThat(found).isEqualTo(Arrays.copyOfRange(content, 8192, 8192 + 4096));
            endpoint.write(buffer.clear().limit(100), block, 1000).get();
            assertThat(tier.counters().reads()).isLessThanOrEqualTo(3);
            assertThat(tier.counters().writes()).isLessThanOrEqualTo(writes + 2);
            assertThat(tier.counters().registrations()).isEqualTo(registrations);
        }
    }

    @Test
    void shouldDoWhatAnArrayOfBytesDoes() throws Exception {
        try (StorageServer server = tier.launchServer(conf, List.of("-o", "16m"));
                StorageClient client = tier.createClient(conf);
                StorageClient other = tier.createClient(conf)) {
            Region region = server.allocateRegion().orElseThrow();
            List<StorageEndpoint> endpoints =
                    List.of(client.createEndpoint(info(server)), other.createEndpoint(info(server)));
            List<BlockInfo> blocks = List.of(
                    new BlockInfo(info(server), 0, region.address(), BLOCK, 0, 1),
                    new BlockInfo(info(server), BLOCK, region.address() + BLOCK, BLOCK, 0, 1));
            Random random = new Random(7);
            byte[][] models = new byte[2][BLOCK];
            for (int i = 0; i < 2; i++) {
                endpoints.get(i).write(buffer(models[i]), blocks.get(i), 0).get();
            }
            for (int round = 0; round < 30; round++) {
                List<CompletableFuture<Integer>> writes = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    int which = random.nextInt(2);
                    int offset = random.nextInt(BLOCK);
                    byte[] content = new byte[Math.min(1 + random.nextInt(20_000), BLOCK - offset)];
                    random.nextBytes(content);
                    System.arraycopy(content, 0, models[which], offset, content.length);
                    writes.add(endpoints.get(which).write(buffer(content), blocks.get(which), offset));
                }
                CompletableFuture.allOf(writes.toArray(new CompletableFuture<?>[0]))
                        .get();
                for (int which = 0; which < 2; which++) {
                    byte[] found = new byte[BLOCK - 7];
                    CrailBuffer all = buffer(found);
                    endpoints.get(1 - which).read(all, blocks.get(which), 7).get();
                    all.clear().get(found);
                    assertThat(found).isEqualTo(Arrays.copyOfRange(models[which], 7, BLOCK));
                }
            }
        }
    }

    @Test
    void shouldLoseADatanodeWithItsNamespaceAndHaveItBack() throws Exception {
        try (StorageServer server = tier.launchServer(conf, List.of());
                StorageClient client = tier.createClient(conf)) {
            server.onRegistered();
            Region region = server.allocateRegion().orElseThrow();
            StorageEndpoint endpoint = client.createEndpoint(info(server));
            BlockInfo block = new BlockInfo(info(server), 0, region.address(), BLOCK, 0, 1);
            endpoint.write(buffer(new byte[4096]), block, 0).get();
            Files.writeString(ENABLE, "0");
            try {
                assertThat(failure(endpoint.write(buffer(new byte[4096]), block, 0)))
                        .isInstanceOf(DatanodeUnreachableException.class)
                        .hasMessageContaining("the target answered path error");
                await("the datanode is lost", () -> !server.isAlive());
            } finally {
                Files.writeString(ENABLE, "1");
            }
            await("the datanode is back", server::isAlive);
            endpoint.write(buffer(new byte[4096]), block, 0).get();
        }
    }

    @Test
    void shouldRefuseWhatDoesNotFit() throws IOException {
        assertThatThrownBy(() -> tier.launchServer(conf, List.of("-nqn", "nqn.2016-06.io.crail:none")))
                .isInstanceOf(DatanodeUnreachableException.class)
                .hasMessageContaining("nqn.2016-06.io.crail:none");
        assertThatThrownBy(() -> tier.launchServer(conf, List.of("-n", "7")))
                .isInstanceOf(DatanodeUnreachableException.class)
                .hasMessageContaining("no namespace 7");
        assertThatThrownBy(() -> tier.launchServer(conf, List.of("-p", "4421")))
                .isInstanceOf(DatanodeUnreachableException.class);
        assertThatThrownBy(() -> tier.launchServer(conf, List.of("-a", "10.0.0.99")))
                .isInstanceOf(DatanodeUnreachableException.class)
                .hasMessageContaining("10.0.0.99");
        assertThatThrownBy(() -> tier.launchServer(conf, List.of("-o", "256m")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("no room");
        conf.set(CrailKeys.BLOCK_SIZE, 512L << 20);
        assertThatThrownBy(() -> tier.launchServer(conf, List.of()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("use a larger namespace or range, or lower crail.blocksize");
    }
}
