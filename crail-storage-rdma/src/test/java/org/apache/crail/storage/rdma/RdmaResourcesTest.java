/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.apache.crail.storage.rdma.TierFixture.BLOCK;
import static org.apache.crail.storage.rdma.TierFixture.await;
import static org.apache.crail.storage.rdma.TierFixture.buffer;
import static org.apache.crail.storage.rdma.TierFixture.bytes;
import static org.apache.crail.storage.rdma.TierFixture.failure;
import static org.apache.crail.storage.rdma.TierFixture.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.crail.CrailBuffer;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.Region;
import org.apache.crail.storage.StorageEndpoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is registered, opened and given back. */
@Tag("rdma")
class RdmaResourcesTest {
    /** Clients that map a datanode's memory; a connect takes long in the lab. */
    private static final int MAPPING_CONNECTS = 250;

    /** Of these; each maps {@link TierFixture#REGION} bytes. */
    private static final long MOST_GROWTH_BYTES = TierFixture.REGION;

    /**
     * Of all memory of a process but its heap, after 1,000 connects; each has several KiB for its work requests and
     * completions. Compiled code and the classes' data may grow by that much, too.
     */
    private static final long MOST_RESIDENT_GROWTH_KIB = 8 * 1024;

    /** All of the heap is in memory from the start, so that it does not grow. */
    private static final List<String> WITH_CONSTANT_HEAP =
            List.of("env", "_JAVA_OPTIONS=-Xms64m -Xmx64m -XX:+AlwaysPreTouch -XX:MaxDirectMemorySize=512m");

    private static final long GIBI = 1 << 30;

    private static final Pattern COUNT = Pattern.compile("(pd|cq|qp|cm_id|mr) ([0-9]+)");

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
    void shouldRegisterNothingMoreOnceItsBuffersHaveBeenUsed() throws Exception {
        StorageEndpoint endpoint = fixture.start().endpoint();
        CrailBuffer pool = buffer(16 * 1000);
        CrailBuffer foreign = buffer(1000);
        get(endpoint.write(foreign, fixture.block(0), 0));
        get(endpoint.write(pool.limit(1000).slice(), fixture.block(0), 0));
        long before = fixture.tier.counters().registrations();
        assertThat(before).isEqualTo(2);
        for (int i = 0; i < 1000; i++) {
            pool.clear().position(i % 16 * 1000).limit(i % 16 * 1000 + 1000);
            CrailBuffer slice = pool.slice();
            get(
                    i % 2 == 0
                            ? endpoint.read(slice, fixture.block(i % 16), 0)
                            : endpoint.write(slice, fixture.block(1), 0));
            foreign.clear();
            if (i % 10 == 0) {
                get(endpoint.read(foreign, fixture.block(0), 0));
            }
        }
        assertThat(fixture.tier.counters().registrations()).isEqualTo(before);
    }

    @Test
    void shouldRegisterAForeignBufferOnceForEachEndpointsDevice() throws Exception {
        RdmaStorageClient client = fixture.start().client();
        CrailBuffer buffer = buffer(BLOCK);
        for (int i = 0; i < 3; i++) {
            buffer.clear();
            get(client.createEndpoint(fixture.datanode()).write(buffer, fixture.block(i), 0));
        }
        assertThat(client.registeredRegions()).isEqualTo(1);
        assertThat(fixture.tier.counters().connections()).isEqualTo(3);
    }

    /**
     * Memory comes again at the same addresses when buffers are garbage; a former registration must not be used for it.
     */
    @Test
    void shouldForgetBuffersThatAreGarbageAndTransferNewOnesRightly() throws Exception {
        RdmaStorageClient client = fixture.start().client();
        StorageEndpoint endpoint = client.createEndpoint(fixture.datanode());
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 8; i++) {
                CrailBuffer buffer = buffer(BLOCK);
                buffer.getByteBuffer().putInt(0, round);
                get(endpoint.write(buffer, fixture.block(i), 0));
                CrailBuffer copy = buffer(BLOCK);
                get(endpoint.read(copy, fixture.block(i), 0));
                assertThat(copy.getByteBuffer().getInt(0)).isEqualTo(round);
            }
            System.gc();
        }
        await("garbage is deregistered", () -> {
            System.gc();
            return client.registeredRegions() <= 2;
        });
    }

    @Test
    void shouldCloseConnectionsOfClientsThatGo() throws Exception {
        fixture.start();
        RdmaStorageClient client = fixture.client();
        get(client.createEndpoint(fixture.datanode()).write(buffer(10), fixture.block(0), 0));
        await("the datanode knows the client", () -> fixture.server.connections() == 1);
        client.close();
        await("the datanode has closed its end", () -> fixture.server.connections() == 0);
    }

    @Test
    void shouldOfferAllItsRegionsAndTakeThemBack() throws Exception {
        fixture.start();
        Region second = fixture.server.allocateRegion().orElseThrow();
        assertThat(second.lba()).isEqualTo(fixture.region.length());
        assertThat(second.key()).isNotEqualTo(fixture.region.key());
        assertThat(fixture.server.allocateRegion()).isEmpty();
        assertThat(fixture.server.registeredRegions()).isEqualTo(2);
        assertThat(fixture.server.isAlive()).isTrue();
        Path own = fixture.server.directory().path();
        assertThat(own).exists();
        fixture.server.close();
        assertThat(fixture.server.isAlive()).isFalse();
        assertThat(fixture.server.registeredRegions()).isZero();
        assertThat(own).doesNotExist();
    }

    /** One memory region has less than 2 GiB; more is offered in several. */
    @Test
    void shouldOfferMoreThanADeviceRegistersAtOnceInSeveralRegions() throws Exception {
        long fileBytes = GIBI + 2L * BLOCK;
        assumeTrue(availableKib() * 1024 > fileBytes + GIBI / 4, "too little memory is free");
        fixture.conf.set(RdmaTierKeys.STORAGE_LIMIT, fileBytes);
        fixture.conf.set(RdmaTierKeys.STORAGE_ALLOCATION_SIZE, fileBytes);
        StorageEndpoint endpoint = fixture.start().endpoint();
        Region first = fixture.region;
        Region second = fixture.server.allocateRegion().orElseThrow();
        assertThat(first.length()).isEqualTo(GIBI);
        assertThat(second.lba()).isEqualTo(GIBI);
        assertThat(second.length()).isEqualTo(2L * BLOCK);
        assertThat(second.key()).isNotEqualTo(first.key());
        assertThat(fixture.server.allocateRegion()).isEmpty();
        assertThat(fixture.server.registeredRegions()).isEqualTo(2);

        BlockInfo last = fixture.block((int) (GIBI / BLOCK) - 1);
        BlockInfo next = new BlockInfo(fixture.datanode(), second.lba(), second.address(), BLOCK, second.key(), 1);
        CrailBuffer[] written = {TierFixture.random(new Random(1), BLOCK), TierFixture.random(new Random(2), BLOCK)};
        get(endpoint.write(written[0], last, 0));
        get(endpoint.write(written[1], next, 0));
        for (int i = 0; i < 2; i++) {
            CrailBuffer copy = buffer(BLOCK);
            get(endpoint.read(copy, i == 0 ? last : next, 0));
            assertThat(bytes(copy, 0, BLOCK)).isEqualTo(bytes(written[i], 0, BLOCK));
        }
        byte[] inFile = atBorder(fixture.server.directory().path());
        assertThat(Arrays.copyOf(inFile, BLOCK)).isEqualTo(bytes(written[0], 0, BLOCK));
        assertThat(Arrays.copyOfRange(inFile, BLOCK, 2 * BLOCK)).isEqualTo(bytes(written[1], 0, BLOCK));

        BlockInfo across =
                new BlockInfo(fixture.datanode(), last.getLba(), last.getAddr() + BLOCK / 2, BLOCK, first.key(), 1);
        assertThat(failure(endpoint.read(buffer(BLOCK), across, 0))).isInstanceOf(StaleBlockException.class);
    }

    /** The last block of the first file of a datanode, and the first one of the second. */
    private static byte[] atBorder(Path directory) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(2 * BLOCK);
        try (FileChannel first = FileChannel.open(directory.resolve("region-0"));
                FileChannel second = FileChannel.open(directory.resolve("region-1"))) {
            assertThat(first.size()).isEqualTo(GIBI);
            assertThat(first.read(bytes.limit(BLOCK), GIBI - BLOCK)).isEqualTo(BLOCK);
            assertThat(second.read(bytes.limit(2 * BLOCK), 0)).isEqualTo(BLOCK);
        }
        return bytes.array();
    }

    private static long availableKib() throws IOException {
        return kib(Path.of("/proc/meminfo"), "MemAvailable:");
    }

    private static long kib(Path file, String name) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldKeepBlocksOnHugePages() throws Exception {
        Path mount = Path.of("/dev/hugepages");
        assumeTrue(
                Files.exists(mount)
                        && "hugetlbfs".equals(Files.getFileStore(mount).type()),
                "no hugetlbfs");
        fixture.conf.set(RdmaTierKeys.STORAGE_DATA_PATH, "/dev/hugepages/crail-test");
        fixture.conf.set(RdmaTierKeys.STORAGE_LIMIT, 40L * BLOCK); // one huge page, and half of one
        fixture.conf.set(RdmaTierKeys.STORAGE_ALLOCATION_SIZE, 40L * BLOCK);
        StorageEndpoint endpoint = fixture.start().endpoint();
        CrailBuffer data = TierFixture.random(new Random(1), BLOCK);
        get(endpoint.write(data, fixture.block(39), 0));
        CrailBuffer copy = buffer(BLOCK);
        get(endpoint.read(copy, fixture.block(39), 0));
        assertThat(bytes(copy, 0, BLOCK)).isEqualTo(bytes(data, 0, BLOCK));
        fixture.server.close();
        Files.delete(Path.of("/dev/hugepages/crail-test/.crail-lock"));
        Files.delete(Path.of("/dev/hugepages/crail-test"));
    }

    @Test
    void shouldKeepItsDataWhenItIsPersistent() throws Exception {
        fixture.conf.set(RdmaTierKeys.STORAGE_PERSISTENT, true);
        StorageEndpoint endpoint = fixture.start().endpoint();
        fixture.conf.set(RdmaTierKeys.STORAGE_PORT, fixture.server.address().getPort());
        CrailBuffer data = buffer(8);
        data.putLong(4711).clear();
        get(endpoint.write(data, fixture.block(3), 0));
        long incarnation = fixture.server.incarnation();
        fixture.server.close();
        fixture.start();
        assertThat(fixture.server.incarnation()).isEqualTo(incarnation);
        CrailBuffer copy = buffer(8);
        get(fixture.endpoint().read(copy, fixture.block(3), 0));
        assertThat(copy.clear().getLong()).isEqualTo(4711);
    }

    /** Of clients that map the datanode's memory, and have read its proof through the device before. */
    @Test
    @Timeout(900)
    void shouldLeakNothingOfClientsThatMapItsMemory(@TempDir(factory = RdmaLocalMapTest.InMemory.class) Path inMemory)
            throws Exception {
        fixture.conf.set(RdmaTierKeys.STORAGE_DATA_PATH, inMemory.toString());
        fixture.conf.set(RdmaTierKeys.STORAGE_LOCAL_MAP, true);
        fixture.start();
        ConnectsMain.connectAndClose(fixture, 100); // until classes are loaded and compiled
        await("all connections are gone", () -> fixture.server.connections() == 0);
        long files = openFiles();
        long threads = Thread.activeCount();
        Map<String, Integer> objects = verbsObjects();
        long offHeapBytes = offHeapBytes();
        ConnectsMain.connectAndClose(fixture, MAPPING_CONNECTS);
        await("all connections are gone", () -> fixture.server.connections() == 0);
        await("files are closed: " + files, () -> openFiles() <= files);
        await("objects of the device are given back: " + objects, () -> hasNoMoreThan(objects));
        await("threads end: " + threads, () -> Thread.activeCount() <= threads + 2);
        await(
                "memory off the heap is given back: " + offHeapBytes,
                () -> offHeapBytes() <= offHeapBytes + MOST_GROWTH_BYTES);
    }

    /** Memory that libraries in C have among it. */
    @Test
    @Timeout(900)
    void shouldLeakNothingInAThousandConnects() throws Exception {
        try (ChildJvm jvm = ChildJvm.start(WITH_CONSTANT_HEAP, null, ConnectsMain.class, dataPath.toString())) {
            long before = Long.parseLong(jvm.ask("200")); // until classes are loaded and compiled
            long files = jvm.openFiles();
            Map<String, Integer> objects = verbsObjects();
            assertThat(Long.parseLong(jvm.ask("1000")) - before)
                    .as("growth in KiB, from %d", before)
                    .isLessThan(MOST_RESIDENT_GROWTH_KIB);
            await("files are closed: " + files, () -> jvm.openFiles() <= files);
            await("objects of the device are given back: " + objects, () -> hasNoMoreThan(objects));
        }
    }

    /** What is in use by buffers off the heap, mapped files among them, those aside that are garbage. */
    private static long offHeapBytes() {
        System.gc();
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    private static long openFiles() {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The device may still have been giving objects back when they were counted first. */
    private static boolean hasNoMoreThan(Map<String, Integer> before) {
        return verbsObjects().entrySet().stream()
                .allMatch(now -> now.getValue() <= before.getOrDefault(now.getKey(), 0));
    }

    /** What `rdma resource` counts: protection domains, completion queues, queue pairs, ids, memory regions. */
    private static Map<String, Integer> verbsObjects() {
        try {
            Process process = new ProcessBuilder("rdma", "resource").start();
            String text = new String(process.getInputStream().readAllBytes(), UTF_8);
            process.waitFor();
            Map<String, Integer> counts = new HashMap<>();
            Matcher count = COUNT.matcher(text);
            while (count.find()) {
                counts.merge(count.group(1), Integer.parseInt(count.group(2)), Integer::sum);
            }
            assertThat(counts).containsKey("qp");
            return counts;
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
