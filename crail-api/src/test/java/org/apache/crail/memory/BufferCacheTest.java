/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.crail.CrailBuffer;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.BufferExhaustedException;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.InvalidRequestException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BufferCacheTest {
    private static final int SIZE = 4096;

    private final CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();

    @TempDir
    private Path directory;

    @BeforeEach
    void configure() {
        conf.set(CrailKeys.BUFFER_SIZE, SIZE);
        conf.set(CrailKeys.REGION_SIZE, 4L * SIZE);
        conf.set(CrailKeys.CACHE_LIMIT, 8L * SIZE);
    }

    @Test
    void shouldGiveDirectMemoryWithoutAPath() throws Exception {
        BufferCache cache = BufferCache.createInstance(conf);
        CrailBuffer buffer = cache.allocateBuffer();
        assertThat(buffer.remaining()).isEqualTo(SIZE);
        assertThat(buffer.getByteBuffer().isDirect()).isTrue();
        assertThat(buffer.getRegion()).isSameAs(buffer);
        assertThat(cache.allocateRegion()).isNull();
        assertThat(cache.buffersInUse()).isOne();
        assertThat(cache.printStatistics())
                .isEqualTo("cacheGet 1, cachePut 0, cacheMiss 1, cacheSize 1, cacheMax 1, mapMiss 1, mapHeap 1");
    }

    @ParameterizedTest
    @ValueSource(ints = {512, 4096, 5120, 1 << 20})
    void shouldBeginBuffersOfAnySizeWithAPage(int bytes) throws Exception {
        conf.set(CrailKeys.BUFFER_SIZE, bytes);
        CrailBuffer buffer = BufferCache.createInstance(conf).allocateBuffer();
        assertThat(buffer.remaining()).isEqualTo(bytes);
        assertThat(buffer.address() % 4096).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "2147483647, 1048576, 2097152, 2145386496",
        "5242880, 1048576, 2097152, 4194304",
        "20971520, 3145728, 2097152, 18874368",
        "1048576, 1048576, 2097152, 0",
        "10000, 4096, 1, 8192"
    })
    void shouldMapWholeBuffersAndWholePages(long most, int bufferBytes, long pageBytes, int expected) {
        assertThat(MappedBufferCache.wholeBytes(most, bufferBytes, pageBytes)).isEqualTo(expected);
    }

    @Test
    void shouldCutMappedRegionsIntoBuffersUpToTheLimit() throws Exception {
        Path path = directory.resolve("cache");
        conf.set(CrailKeys.CACHE_PATH, path.toString());
        BufferCache cache = BufferCache.createInstance(conf);
        Set<CrailBuffer> regions = new HashSet<>();
        Set<Long> addresses = new HashSet<>();
        for (int i = 0; i < 8; i++) {
            CrailBuffer buffer = cache.allocateBuffer();
            assertThat(buffer.capacity()).isEqualTo(SIZE);
            assertThat(buffer.getRegion().capacity()).isEqualTo(4 * SIZE);
            regions.add(buffer.getRegion());
            addresses.add(buffer.address());
            buffer.putLong(i);
        }
        assertThat(regions).hasSize(2);
        assertThat(addresses).hasSize(8);
        CrailBuffer further = cache.allocateBuffer();
        assertThat(further.getRegion()).isSameAs(further);
        cache.close();
        assertThat(path).as("files left behind").isEmptyDirectory();
    }

    @Test
    void shouldHaveThePagesOfABufferBeforeItIsUsed() throws Exception {
        conf.set(CrailKeys.CACHE_PATH, directory.toString());
        CrailBuffer buffer = BufferCache.createInstance(conf).allocateBuffer();
        assertThat(buffer.getRegion()).isNotSameAs(buffer);
        assertThat(buffer.getByteBuffer())
                .isInstanceOfSatisfying(MappedByteBuffer.class, mapped -> assertThat(mapped.isLoaded())
                        .isTrue());
    }

    @Test
    void shouldMapARegionForAThreadThatIsInterrupted() throws Exception {
        conf.set(CrailKeys.CACHE_PATH, directory.toString());
        BufferCache cache = BufferCache.createInstance(conf);
        Thread.currentThread().interrupt();
        CrailBuffer buffer = cache.allocateBuffer();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(buffer.getRegion().capacity()).isEqualTo(4 * SIZE);
        assertThat(directory).as("files left behind").isEmptyDirectory();
    }

    @Test
    void shouldGiveFreedBuffersAgainCleared() throws Exception {
        BufferCache cache = BufferCache.createInstance(conf);
        CrailBuffer buffer = cache.allocateBuffer();
        buffer.position(10).limit(20);
        cache.freeBuffer(buffer);
        assertThat(cache.allocateBuffer()).isSameAs(buffer);
        assertThat(buffer.remaining()).isEqualTo(SIZE);
    }

    @Test
    void shouldRefuseToFreeTwice() throws Exception {
        BufferCache cache = BufferCache.createInstance(conf);
        CrailBuffer buffer = cache.allocateBuffer();
        cache.freeBuffer(buffer);
        cache.freeBuffer(null);
        assertThatThrownBy(() -> cache.freeBuffer(buffer)).isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> cache.freeBuffer(buffer.slice())).isInstanceOf(InvalidRequestException.class);
        assertThat(cache.allocateBuffer()).isSameAs(buffer);
        assertThat(cache.allocateBuffer()).isNotSameAs(buffer);
    }

    @Test
    void shouldTakeASliceForTheBufferWithWhichItBegins() throws Exception {
        for (boolean isMapped : new boolean[] {true, false}) {
            conf.set(CrailKeys.CACHE_PATH, directory.toString());
            conf.set("crail.cachelimit", isMapped ? "1m" : "0");
            BufferCache cache = BufferCache.createInstance(conf);
            CrailBuffer buffer = cache.allocateBuffer();
            CrailBuffer other = cache.allocateBuffer();
            cache.freeBuffer(buffer.limit(10).slice());
            assertThat(cache.buffersInUse()).isEqualTo(1);
            assertThat(cache.allocateBuffer()).isSameAs(buffer);
            cache.freeBuffer(other);
            cache.close();
        }
    }

    @Test
    void shouldLetGoOfWhatItDidNotGive() throws Exception {
        BufferCache cache = BufferCache.createInstance(conf);
        CrailBuffer buffer = cache.allocateBuffer();
        cache.freeBuffer(OffHeapBuffer.wrap(ByteBuffer.allocateDirect(SIZE)));
        cache.freeBuffer(buffer.position(10).slice());
        assertThat(cache.buffersInUse()).isEqualTo(1);
        CrailBuffer next = cache.allocateBuffer();
        assertThat(next).isNotSameAs(buffer);
        assertThat(next.capacity()).isEqualTo(SIZE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/proc/nowhere", "/dev/null/x", "\0"})
    void shouldFallBackToDirectMemoryWhenThePathIsUnusable(String path) throws Exception {
        conf.set(CrailKeys.CACHE_PATH, path);
        BufferCache cache = BufferCache.createInstance(conf);
        assertThat(cache.allocateBuffer().capacity()).isEqualTo(SIZE);
        assertThat(cache.allocateBuffer().capacity()).isEqualTo(SIZE);
    }

    /** Others could look into its buffers, or have them somewhere else. */
    @Test
    void shouldNotMapBuffersWhereOthersMayWrite() throws Exception {
        Path path = directory.resolve("shared");
        conf.set(CrailKeys.CACHE_PATH, path.toString());
        CrailBuffer own = BufferCache.createInstance(conf).allocateBuffer();
        assertThat(own.getRegion()).as("a part of what is mapped").isNotSameAs(own);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rwx------");
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
        CrailBuffer fallback = BufferCache.createInstance(conf).allocateBuffer();
        assertThat(fallback.getRegion()).isSameAs(fallback);
        assertThat(fallback.capacity()).isEqualTo(SIZE);
    }

    @Test
    void shouldFallBackToDirectMemoryWhenThereIsNoSpace() throws Exception {
        conf.set(CrailKeys.CACHE_PATH, directory.toString());
        conf.set(CrailKeys.REGION_SIZE, 1L << 60);
        conf.set(CrailKeys.CACHE_LIMIT, 0L);
        assertThat(BufferCache.createInstance(conf).allocateBuffer().capacity()).isEqualTo(SIZE);
    }

    @Test
    void shouldGiveTheMemoryThatAnotherCacheKeepsIdle() throws Exception {
        conf.set(CrailKeys.BUFFER_SIZE, 256 << 20);
        conf.set(CrailKeys.CACHE_LIMIT, 0L);
        BufferCache first = BufferCache.createInstance(conf);
        BufferCache second = BufferCache.createInstance(conf);
        List<CrailBuffer> all = new ArrayList<>();
        assertThatThrownBy(() -> {
                    while (true) {
                        all.add(first.allocateBuffer());
                    }
                })
                .isInstanceOf(BufferExhaustedException.class)
                .hasMessageContaining("raise -XX:MaxDirectMemorySize");
        assertThatThrownBy(second::allocateBuffer).isInstanceOf(BufferExhaustedException.class);
        for (CrailBuffer buffer : all) {
            first.freeBuffer(buffer);
        }
        all.clear();

        CrailBuffer given = second.allocateBuffer();

        assertThat(given.capacity()).isEqualTo(256 << 20);
        second.close();
        first.close();
    }

    /** As when two threads are out of memory at the same time: the first lets go of all, and needs a part of that. */
    @Test
    void shouldTryAgainWhenAnotherThreadHasLetGoOfWhatWasIdle() throws Exception {
        conf.set(CrailKeys.BUFFER_SIZE, 256 << 20);
        conf.set(CrailKeys.CACHE_LIMIT, 0L);
        BufferCache idle = BufferCache.createInstance(conf);
        BufferCache first = BufferCache.createInstance(conf);
        BufferCache second = BufferCache.createInstance(conf);
        List<CrailBuffer> all = new ArrayList<>();
        assertThatThrownBy(() -> {
                    while (true) {
                        all.add(idle.allocateBuffer());
                    }
                })
                .isInstanceOf(BufferExhaustedException.class);
        for (CrailBuffer buffer : all) {
            idle.freeBuffer(buffer);
        }
        assertThat(all).hasSizeGreaterThan(1);
        all.clear();
        List<CrailBuffer> given = new ArrayList<>();
        AtomicBoolean isOver = new AtomicBoolean();
        idle.putBufferInternal(lookedAt(() -> {
            if (isOver.compareAndSet(false, true)) {
                given.add(first.allocateBuffer());
            }
        }));

        given.add(second.allocateBuffer());

        assertThat(given).hasSize(2);
        first.close();
        second.close();
        idle.close();
    }

    /** A buffer of somebody else's memory, which does something when it is asked for that. */
    private static CrailBuffer lookedAt(Callback then) {
        return (CrailBuffer) Proxy.newProxyInstance(
                CrailBuffer.class.getClassLoader(), new Class<?>[] {CrailBuffer.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getRegion")) {
                        then.run();
                        return null;
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
    }

    /** Something that may fail. */
    private interface Callback {
        void run() throws IOException;
    }

    @Test
    void shouldRefuseToAllocateAfterCloseButTakeBuffersBack() throws Exception {
        BufferCache cache = BufferCache.createInstance(conf);
        CrailBuffer buffer = cache.allocateBuffer();
        cache.close();
        cache.close();
        assertThatThrownBy(cache::allocateBuffer).isInstanceOf(ClosedException.class);
        cache.freeBuffer(buffer);
        assertThat(cache.buffersInUse()).isZero();
    }

    @Test
    void shouldNeverGiveOneBufferToTwoThreads() throws Exception {
        conf.set(CrailKeys.CACHE_PATH, directory.toString());
        BufferCache cache = BufferCache.createInstance(conf);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<?>> tasks = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            long mark = i;
            tasks.add(threads.submit(() -> allocateMarkAndFree(cache, mark)));
        }
        for (Future<?> task : tasks) {
            assertThat(task.get()).isNull();
        }
        threads.shutdown();
        assertThat(cache.buffersInUse()).isZero();
    }

    private static Void allocateMarkAndFree(BufferCache cache, long mark) throws IOException {
        for (int i = 0; i < 2000; i++) {
            CrailBuffer first = cache.allocateBuffer();
            CrailBuffer second = cache.allocateBuffer();
            first.putLong(mark);
            second.putLong(-mark);
            assertThat(first.flip().getLong()).isEqualTo(mark);
            assertThat(second.flip().getLong()).isEqualTo(-mark);
            cache.freeBuffer(first);
            cache.freeBuffer(second);
        }
        return null;
    }

    @Test
    void shouldConfigureCachesThatOnlyHaveAConstructorWithoutParameters() throws Exception {
        BufferCache cache = BufferCache.createInstance(OldStyleCache.class.getName(), conf);
        assertThat(cache).isInstanceOf(OldStyleCache.class);
        assertThat(cache.allocateBuffer().capacity()).isEqualTo(SIZE);
        assertThat(BufferCache.createInstance(OldStyleCache.class.getName()).bufferSize())
                .isEqualTo(1 << 20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"org.example.Missing", "java.lang.String", "org.apache.crail.memory.BufferCache"})
    void shouldNameAClassThatIsNoBufferCache(String name) {
        assertThatThrownBy(() -> BufferCache.createInstance(name, conf))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("crail.cacheimpl = " + name);
    }

    /** A cache as programs written for Crail 1.x have. */
    public static final class OldStyleCache extends BufferCache {
        /** Makes one. */
        public OldStyleCache() throws IOException {}

        @Override
        public CrailBuffer allocateRegion() throws IOException {
            return OffHeapBuffer.wrap(ByteBuffer.allocateDirect(2 * bufferSize()));
        }
    }
}
