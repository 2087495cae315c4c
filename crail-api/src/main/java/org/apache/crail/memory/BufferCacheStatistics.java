/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.memory;

import java.util.concurrent.atomic.LongAdder;

/** What a buffer cache has counted. Thread safe. */
final class BufferCacheStatistics {
    private final LongAdder gets = new LongAdder();
    private final LongAdder puts = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder mapMisses = new LongAdder();
    private final LongAdder heapBuffers = new LongAdder();
    private final LongAdder buffers = new LongAdder();

    void countGet() {
        gets.increment();
    }

    void countPut() {
        puts.increment();
    }

    /** Counts an allocation that found no free buffer. */
    void countMiss() {
        misses.increment();
    }

    /** Counts an attempt to get a region. */
    void countMapMiss() {
        mapMisses.increment();
    }

    /** Counts a buffer that came from the direct memory of the JVM. */
    void countHeap() {
        heapBuffers.increment();
        buffers.increment();
    }

    /** Counts a buffer that came from a region. */
    void countNew() {
        buffers.increment();
    }

    void add(BufferCacheStatistics other) {
        gets.add(other.gets.sum());
        puts.add(other.puts.sum());
        misses.add(other.misses.sum());
        mapMisses.add(other.mapMisses.sum());
        heapBuffers.add(other.heapBuffers.sum());
        buffers.add(other.buffers.sum());
    }

    /** Sets the counts of events to zero; the number of buffers is no such count. */
    void reset() {
        gets.reset();
        puts.reset();
        misses.reset();
        mapMisses.reset();
    }

    @Override
    public String toString() {
        return "cacheGet " + gets + ", cachePut " + puts + ", cacheMiss " + misses + ", cacheSize " + buffers
                + ", cacheMax " + buffers + ", mapMiss " + mapMisses + ", mapHeap " + heapBuffers;
    }
}
