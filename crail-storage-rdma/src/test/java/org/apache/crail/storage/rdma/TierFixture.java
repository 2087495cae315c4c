/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.crail.CrailBuffer;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.memory.OffHeapBuffer;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.Region;
import org.apache.crail.storage.StorageEndpoint;

/** A datanode and its clients over the first RDMA device of this machine, for one test. Not thread safe. */
final class TierFixture implements AutoCloseable {
    static final String ADDRESS = "crail.test.device.address";
    static final int BLOCK = 64 * 1024;
    static final int REGION = 16 * BLOCK;

    final CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
    final RdmaStorageTier tier = new RdmaStorageTier();
    private final List<Runnable> closers = new ArrayList<>();
    RdmaStorageServer server;
    Region region;

    TierFixture(Path dataPath) throws IOException {
        conf.set(CrailKeys.BLOCK_SIZE, (long) BLOCK);
        conf.set(CrailKeys.DATANODE_BIND, deviceAddress());
        conf.set(CrailKeys.CONNECT_TIMEOUT.name(), "20s");
        conf.set(CrailKeys.DATA_TIMEOUT.name(), "60s");
        conf.set(CrailKeys.TOKEN_EXPIRATION.name(), "200s");
        conf.set(RdmaTierKeys.STORAGE_PORT, 0);
        conf.set(RdmaTierKeys.STORAGE_DATA_PATH, dataPath.toString());
        conf.set(RdmaTierKeys.STORAGE_LOCAL_MAP, false);
        conf.set(RdmaTierKeys.STORAGE_LIMIT, 2L * REGION);
        conf.set(RdmaTierKeys.STORAGE_ALLOCATION_SIZE, (long) REGION);
    }

    /** The address that a property names, else the IPv4 address of the network interface below the first device. */
    static String deviceAddress() throws IOException {
        String given = System.getProperty(ADDRESS);
        return given != null ? given : firstDeviceAddress();
    }

    private static String firstDeviceAddress() throws IOException {
        try (Stream<Path> devices = Files.list(Path.of("/sys/class/infiniband"))) {
            Path parent = devices.findFirst().orElseThrow().resolve("parent");
            String name = Files.readString(parent).strip();
            return NetworkInterface.getByName(name)
                    .inetAddresses()
                    .filter(Inet4Address.class::isInstance)
                    .findFirst()
                    .orElseThrow()
                    .getHostAddress();
        }
    }

    TierFixture start() throws IOException {
        server = (RdmaStorageServer) tier.launchServer(conf, List.of());
        closers.add(server::close);
        region = server.allocateRegion().orElseThrow();
        return this;
    }

    DataNodeInfo datanode() {
        return new DataNodeInfo(
                0,
                0,
                0,
                server.address().getAddress().getHostAddress(),
                server.address().getPort());
    }

    RdmaStorageClient client() throws IOException {
        RdmaStorageClient client = (RdmaStorageClient) tier.createClient(conf);
        closers.add(client::close);
        return client;
    }

    StorageEndpoint endpoint() throws IOException {
        return client().createEndpoint(datanode());
    }

    BlockInfo block(int index) {
        return block(index, region.key());
    }

    BlockInfo block(int index, int key) {
        long address = (long) index * BLOCK;
        return new BlockInfo(datanode(), region.lba() + address, region.address() + address, BLOCK, key, 1);
    }

    static CrailBuffer buffer(int capacity) throws IOException {
        return OffHeapBuffer.wrap(ByteBuffer.allocateDirect(capacity));
    }

    static CrailBuffer random(Random random, int capacity) throws IOException {
        byte[] bytes = new byte[capacity];
        random.nextBytes(bytes);
        CrailBuffer buffer = buffer(capacity);
        buffer.put(bytes);
        buffer.clear();
        return buffer;
    }

    static byte[] bytes(CrailBuffer buffer, int from, int to) {
        byte[] bytes = new byte[to - from];
        buffer.getByteBuffer().duplicate().limit(to).position(from).get(bytes);
        return bytes;
    }

    static int get(CompletableFuture<Integer> future) throws Exception {
        return future.get(90, TimeUnit.SECONDS);
    }

    static Throwable failure(CompletableFuture<?> future) throws Exception {
        try {
            Object result = future.get(90, TimeUnit.SECONDS);
            throw new AssertionError("succeeded with " + result);
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    /** Reads until a region has been mapped, which happens on another thread, for a minute at most. */
    static void awaitMapped(StorageEndpoint endpoint, BlockInfo block, CrailBuffer buffer) throws Exception {
        long deadlineNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!endpoint.isLocal()) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new AssertionError("the region has not been mapped within a minute");
            }
            get(endpoint.read(buffer.clear(), block, 0));
        }
    }

    /** Waits until something holds, for a minute at most. */
    static void await(String what, BooleanSupplier condition) {
        long deadlineNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new AssertionError("not within a minute: " + what);
            }
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        for (int i = closers.size() - 1; i >= 0; i--) {
            closers.get(i).run();
        }
    }
}
