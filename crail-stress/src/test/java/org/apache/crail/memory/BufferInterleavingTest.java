/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailBuffer;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.interleaving.Interleavings;
import org.apache.crail.interleaving.Threads;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Buffers that are allocated and freed, also twice, by several threads. */
@Tag("fray")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class BufferInterleavingTest {
    private static final int TIMES = 1_000;

    @Test
    void shouldGiveABufferToOneThreadThoughItWasFreedTwice() {
        Interleavings.explore(TIMES, () -> {
            BufferCache cache = new Cache(3);
            CrailBuffer buffer = cache.allocateBuffer();
            Threads.Body free = () -> freeUnlessFree(cache, buffer);
            new Threads().add("first", free).add("second", free).run();
            CrailBuffer one = cache.allocateBuffer();
            CrailBuffer other = cache.allocateBuffer();
            assertThat(one).isNotSameAs(other);
            assertThat(cache.buffersInUse()).isEqualTo(2);
        });
    }

    private static void freeUnlessFree(BufferCache cache, CrailBuffer buffer) throws IOException {
        try {
            cache.freeBuffer(buffer);
        } catch (InvalidRequestException e) {
            assertThat(e).hasMessageContaining("free each buffer once");
        }
    }

    @Test
    void shouldGiveABufferToOneThreadAtATime() {
        Interleavings.explore(TIMES, () -> {
            BufferCache cache = new Cache(2);
            Set<CrailBuffer> used = ConcurrentHashMap.newKeySet();
            Threads threads = new Threads();
            for (int i = 0; i < 3; i++) {
                threads.add("user", () -> {
                    CrailBuffer buffer = cache.allocateBuffer();
                    assertThat(used.add(buffer)).isTrue();
                    assertThat(used.remove(buffer)).isTrue();
                    cache.freeBuffer(buffer);
                });
            }
            threads.run();
            assertThat(cache.buffersInUse()).isZero();
        });
    }

    /** Has some buffers from the beginning on. */
    private static final class Cache extends BufferCache {
        Cache(int buffers) throws IOException {
            for (int i = 0; i < buffers; i++) {
                putBufferInternal(OffHeapBuffer.wrap(ByteBuffer.allocateDirect(1)));
            }
        }

        @Override
        public CrailBuffer allocateRegion() {
            return null;
        }
    }
}
