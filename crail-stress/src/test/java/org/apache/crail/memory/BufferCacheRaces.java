/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.apache.crail.CrailBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** A buffer is freed and allocated again while another thread allocates one. */
@JCStressTest
@State
@Outcome(id = "true, 2", expect = ACCEPTABLE, desc = "each has a buffer of its own")
@Outcome(expect = FORBIDDEN, desc = "both have one, or one is lost")
public class BufferCacheRaces {
    private final BufferCache cache;
    private final CrailBuffer used;
    private CrailBuffer first;
    private CrailBuffer second;

    public BufferCacheRaces() {
        try {
            cache = new Cache();
            cache.putBufferInternal(OffHeapBuffer.wrap(ByteBuffer.allocateDirect(1)));
            cache.putBufferInternal(OffHeapBuffer.wrap(ByteBuffer.allocateDirect(1)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        used = allocated();
    }

    @Actor
    public void again() {
        try {
            cache.freeBuffer(used);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        first = allocated();
    }

    @Actor
    public void other() {
        second = allocated();
    }

    private CrailBuffer allocated() {
        try {
            return cache.allocateBuffer();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Arbiter
    public void end(ZI_Result result) {
        result.r1 = first != second;
        result.r2 = cache.buffersInUse();
    }

    private static final class Cache extends BufferCache {
        Cache() throws IOException {}

        @Override
        public CrailBuffer allocateRegion() {
            return null;
        }
    }
}
