/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailBufferCache;
import org.apache.crail.CrailStatistics;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.conf.Plugins;
import org.apache.crail.error.BufferExhaustedException;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.InvalidRequestException;

/**
 * Keeps buffers of one size for reuse. A subclass gives memory in regions, which are cut into buffers; when it gives no
 * more, buffers come from the direct memory of the JVM. Where that is used up, all caches let go of what lies idle.
 * Allocation never waits for others to free. The class to use is set
 * with {@code crail.cacheimpl}; it has a public constructor that takes a {@link CrailConfiguration} or nothing. All
 * methods are thread safe.
 */
public abstract class BufferCache implements CrailStatistics.StatisticsProvider, CrailBufferCache {
    private static final int PAGE_BYTES = 4096;

    private static final Set<BufferCache> WITH_DIRECT_MEMORY =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private final BufferCacheStatistics statistics = new BufferCacheStatistics();
    private final ConcurrentLinkedDeque<CrailBuffer> free = new ConcurrentLinkedDeque<>();
    private final Set<CrailBuffer> inUse = ConcurrentHashMap.newKeySet();
    private final ReentrantLock regionLock = new ReentrantLock();
    private volatile int bufferSize = CrailKeys.BUFFER_SIZE.defaultValue();
    private volatile boolean regionsExhausted;
    private volatile boolean closed;

    /**
     * Makes a cache of buffers of the default size; {@link #createInstance(String, CrailConfiguration)} then sets
     * theirs.
     */
    public BufferCache() throws IOException {}

    /** Makes a cache of buffers of {@code crail.buffersize} bytes. */
    protected BufferCache(CrailConfiguration conf) throws IOException {
        configure(conf);
    }

    /**
     * Gives the next region of memory. Called by one thread at a time.
     *
     * @return a region, or null if there is no more
     */
    public abstract CrailBuffer allocateRegion() throws IOException;

    private void configure(CrailConfiguration conf) throws ConfigurationException {
        bufferSize = conf.get(CrailKeys.BUFFER_SIZE);
    }

    /** Bytes in each buffer. */
    public final int bufferSize() {
        return bufferSize;
    }

    /** The number of buffers that have been allocated and not yet freed. */
    public final int buffersInUse() {
        return inUse.size();
    }

    /**
     * Gives a cleared buffer.
     *
     * @throws BufferExhaustedException if there is no memory left
     * @throws ClosedException if the cache is closed
     */
    @Override
    public CrailBuffer allocateBuffer() throws IOException {
        if (closed) {
            throw new ClosedException("cannot allocate a buffer: the buffer cache is closed");
        }
        statistics.countGet();
        CrailBuffer buffer = free.pollFirst();
        if (buffer == null) {
            buffer = allocateMore();
        }
        buffer.clear();
        inUse.add(buffer);
        return buffer;
    }

    private CrailBuffer allocateMore() throws IOException {
        statistics.countMiss();
        CrailBuffer buffer = regionsExhausted ? null : fromRegion();
        return buffer == null ? fromDirectMemory() : buffer;
    }

    private CrailBuffer fromRegion() throws IOException {
        regionLock.lock();
        try {
            CrailBuffer buffer = free.pollFirst();
            if (buffer == null && !regionsExhausted) {
                addRegion();
                buffer = free.pollFirst();
            }
            return buffer;
        } finally {
            regionLock.unlock();
        }
    }

    private void addRegion() throws IOException {
        statistics.countMapMiss();
        CrailBuffer region = allocateRegion();
        if (region == null) {
            regionsExhausted = true;
            return;
        }
        if (region instanceof OffHeapBuffer known) {
            known.keep();
        }
        region.clear();
        for (int start = 0; region.capacity() - start >= bufferSize; start += bufferSize) {
            region.clear().position(start).limit(start + bufferSize);
            putBufferInternal(region.slice());
        }
        region.clear();
    }

    private CrailBuffer fromDirectMemory() throws IOException {
        OffHeapBuffer buffer;
        try {
            buffer = OffHeapBuffer.wrap(pageAligned(bufferSize));
        } catch (OutOfMemoryError e) {
            buffer = OffHeapBuffer.wrap(fromIdleMemory());
        }
        buffer.keep();
        statistics.countHeap();
        WITH_DIRECT_MEMORY.add(this);
        return buffer;
    }

    /**
     * All caches of a process share its direct memory, so what another one keeps idle is let go. If nothing is idle,
     * another thread may just have let go of more than it needs.
     */
    private ByteBuffer fromIdleMemory() throws BufferExhaustedException {
        for (BufferCache cache : WITH_DIRECT_MEMORY.toArray(new BufferCache[0])) {
            boolean ignored = cache.free.removeIf(buffer -> buffer.getRegion() == buffer);
        }
        try {
            return pageAligned(bufferSize);
        } catch (OutOfMemoryError e) {
            throw new BufferExhaustedException(
                    "cannot allocate a buffer of " + bufferSize + " bytes with " + inUse.size()
                            + " in use: no direct memory left; free buffers, or raise -XX:MaxDirectMemorySize",
                    e);
        }
    }

    /**
     * The JVM's own begin a few bytes behind a page, where some processors copy slowly what comes from the beginning of
     * one.
     */
    private static ByteBuffer pageAligned(int bytes) {
        ByteBuffer memory = ByteBuffer.allocateDirect(bytes + PAGE_BYTES);
        return memory.slice(PAGE_BYTES - memory.alignmentOffset(0, PAGE_BYTES), bytes);
    }

    /**
     * Takes back a buffer that {@link #allocateBuffer} gave; null is accepted. After {@link #close} the buffer is let
     * go. As in 1.x, a slice that begins where its buffer begins stands for the whole buffer; other slices, and buffers
     * of the program's own, are let go.
     *
     * @throws InvalidRequestException if the buffer was freed before
     */
    @Override
    public void freeBuffer(CrailBuffer buffer) throws IOException {
        if (buffer == null) {
            return;
        }
        if (inUse.remove(buffer)) {
            takeBack(buffer);
        } else {
            freeSlice(buffer);
        }
    }

    private void freeSlice(CrailBuffer slice) throws InvalidRequestException {
        long address = slice.address();
        Optional<CrailBuffer> used =
                inUse.stream().filter(whole -> whole.address() == address).findAny();
        if (used.isPresent() && inUse.remove(used.get())) {
            takeBack(used.get());
            return;
        }
        if (free.stream().anyMatch(whole -> whole.address() == address)) {
            throw new InvalidRequestException(
                    "cannot free " + slice + ": it has been freed before; free each buffer once");
        }
    }

    private void takeBack(CrailBuffer buffer) {
        statistics.countPut();
        if (!closed) {
            free.addFirst(buffer);
        }
    }

    /** Adds a new buffer that nobody uses; for subclasses. */
    public void putBufferInternal(CrailBuffer buffer) throws IOException {
        statistics.countNew();
        free.addFirst(buffer);
    }

    /** Lets go of all buffers. Those in use stay valid for as long as their users hold them. */
    public void close() {
        closed = true;
        free.clear();
    }

    @Override
    public String providerName() {
        return "cache/buffer";
    }

    @Override
    public String printStatistics() {
        return statistics.toString();
    }

    @Override
    public void resetStatistics() {
        statistics.reset();
    }

    @Override
    public void mergeStatistics(CrailStatistics.StatisticsProvider provider) {
        if (provider instanceof BufferCache other) {
            statistics.add(other.statistics);
        }
    }

    /**
     * As {@link #createInstance(String, CrailConfiguration)} with default values; for programs written for Crail 1.x.
     */
    public static BufferCache createInstance(String className) throws Exception {
        return createInstance(className, CrailConfiguration.createEmptyConfiguration());
    }

    /** Makes the buffer cache that {@code conf} asks for. */
    public static BufferCache createInstance(CrailConfiguration conf) throws Exception {
        return createInstance(conf.get(CrailKeys.CACHE_IMPL), conf);
    }

    /**
     * Makes a buffer cache.
     *
     * @param className a subclass with a public constructor that takes a {@link CrailConfiguration}, which is
     *     preferred, or nothing
     * @throws ConfigurationException if there is no such class or it cannot be made
     */
    public static BufferCache createInstance(String className, CrailConfiguration conf) throws Exception {
        BufferCache cache = Plugins.newInstance(CrailKeys.CACHE_IMPL, className, BufferCache.class, conf);
        cache.configure(conf);
        return cache;
    }
}
