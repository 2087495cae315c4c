/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.apache.crail.CrailBuffer;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.memory.BufferCache;

/** Buffers of a store, of which a test learns before it gets one. Thread safe. */
public final class HookedBufferCache extends BufferCache {
    private final AtomicInteger allocations = new AtomicInteger();

    /** Told how many buffers have been asked for, this one included; for the store of one test at a time. */
    static volatile IntConsumer onAllocate = number -> {};

    public HookedBufferCache(CrailConfiguration conf) throws IOException {
        super(conf);
    }

    /** A client's configuration with such buffers. */
    static CrailConfiguration configuration() {
        CrailConfiguration conf = TestCluster.clientConfiguration();
        conf.set("crail.cacheimpl", HookedBufferCache.class.getName());
        return conf;
    }

    @Override
    public CrailBuffer allocateRegion() {
        return null; // direct memory of the JVM
    }

    @Override
    public CrailBuffer allocateBuffer() throws IOException {
        onAllocate.accept(allocations.incrementAndGet());
        return super.allocateBuffer();
    }
}
