/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.CrailBuffer;
import org.apache.crail.error.BufferExhaustedException;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.memory.OffHeapBuffer;
import org.junit.jupiter.api.Test;

class LocalMemoryTest {
    private final RdmaCounters counters = new RdmaCounters();
    private final AtomicInteger live = new AtomicInteger();
    private final AtomicInteger keys = new AtomicInteger();
    private long lastAddress;
    private int lastLength;
    private boolean full;

    private LocalMemory memory = new LocalMemory(this::register, counters);

    private LocalMemory.Registration register(long address, int length) throws IOException {
        if (full) {
            throw new IOException("ibv_reg_mr: Cannot allocate memory");
        }
        lastAddress = address;
        lastLength = length;
        live.incrementAndGet();
        int key = keys.incrementAndGet();
        return new LocalMemory.Registration() {
            @Override
            public int localKey() {
                return key;
            }

            @Override
            public void deregister() {
                live.decrementAndGet();
            }
        };
    }

    private static CrailBuffer buffer(int capacity) throws IOException {
        return OffHeapBuffer.wrap(ByteBuffer.allocateDirect(capacity));
    }

    @Test
    void shouldRegisterTheWholeRegionOnceForAllItsSlices() throws Exception {
        CrailBuffer region = buffer(1000);
        CrailBuffer slice = region.position(100).limit(300).slice();
        int key = memory.localKey(slice);
        assertThat(lastAddress).isEqualTo(region.address());
        assertThat(lastLength).isEqualTo(1000);
        assertThat(memory.localKey(region)).isEqualTo(key);
        assertThat(memory.localKey(slice.position(10).slice())).isEqualTo(key);
        assertThat(counters.registrations()).isEqualTo(1);
    }

    @Test
    void shouldKnowAForeignBufferAgainThatIsWrappedAnew() throws Exception {
        ByteBuffer foreign = ByteBuffer.allocateDirect(100);
        int key = memory.localKey(OffHeapBuffer.wrap(foreign));
        foreign.put(0, (byte) 1);
        assertThat(memory.localKey(OffHeapBuffer.wrap(foreign))).isEqualTo(key);
        assertThat(counters.registrations()).isEqualTo(1);
    }

    @Test
    void shouldTellBuffersWithEqualContentsApart() throws Exception {
        CrailBuffer first = buffer(100);
        CrailBuffer second = buffer(100);
        assertThat(memory.localKey(first)).isNotEqualTo(memory.localKey(second));
        assertThat(counters.registrations()).isEqualTo(2);
    }

    @Test
    void shouldDeregisterWhatIsGarbage() throws Exception {
        CrailBuffer kept = buffer(100);
        memory.localKey(kept);
        for (int i = 0; i < 10; i++) {
            memory.localKey(buffer(100));
        }
        TierFixture.await("garbage is deregistered", () -> {
            System.gc();
            return live.get() == 1;
        });
        assertThat(memory.size()).isEqualTo(1);
        assertThat(memory.localKey(kept)).isEqualTo(1);
    }

    @Test
    void shouldDeregisterEverythingWhenItIsClosed() throws Exception {
        CrailBuffer buffer = buffer(100);
        memory.localKey(buffer);
        memory.close();
        assertThat(live.get()).isZero();
        assertThatThrownBy(() -> memory.localKey(buffer)).isInstanceOf(ClosedException.class);
    }

    @Test
    void shouldRefuseABufferOnTheHeap() {
        CrailBuffer heap = (CrailBuffer) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {CrailBuffer.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getRegion" -> proxy;
                    case "getByteBuffer" -> ByteBuffer.allocate(10);
                    default -> "a buffer";
                });
        assertThatThrownBy(() -> memory.localKey(heap))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("on the heap")
                .hasMessageContaining("allocateDirect");
    }

    @Test
    void shouldSayWhatToDoWhenMemoryCannotBeRegistered() throws Exception {
        full = true;
        CrailBuffer buffer = buffer(100);
        assertThatThrownBy(() -> memory.localKey(buffer))
                .isInstanceOf(BufferExhaustedException.class)
                .hasMessageContaining("100 bytes")
                .hasMessageContaining("ulimit -l");
        full = false;
        assertThat(memory.localKey(buffer)).isEqualTo(1);
    }
}
