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
import org.apache.crail.storage.direct.LocalMemory;
import org.apache.crail.verbs.NativeVerbs;
import org.junit.jupiter.api.Test;

class LocalMemoryTest {
    private final RdmaCounters counters = new RdmaCounters();
    private final AtomicInteger live = new AtomicInteger();
    private final AtomicInteger keys = new AtomicInteger();
    private long lastAddress;
    private int lastLength;
    private boolean full;

    private LocalMemory<Fake> memory = new LocalMemory<>(this::register);

    private record Fake(int localKey, AtomicInteger live) implements LocalMemory.Registration {
        @Override
        public void deregister() {
            live.decrementAndGet();
        }
    }

    private Fake register(ByteBuffer region, long address) throws BufferExhaustedException {
        if (full) {
            IOException cause = new IOException("ibv_reg_mr: Cannot allocate memory");
            throw new BufferExhaustedException(NativeVerbs.registrationFailure(region.capacity(), cause), cause);
        }
        lastAddress = address;
        lastLength = region.capacity();
        counters.countRegistration();
        live.incrementAndGet();
        return new Fake(keys.incrementAndGet(), live);
    }

    private static CrailBuffer buffer(int capacity) throws IOException {
        return OffHeapBuffer.wrap(ByteBuffer.allocateDirect(capacity));
    }

    @Test
    void shouldRegisterTheWholeRegionOnceForAllItsSlices() throws Exception {
        CrailBuffer region = buffer(1000);
        CrailBuffer slice = region.position(100).limit(300).slice();
        int key = memory.registration(slice).localKey();
        assertThat(lastAddress).isEqualTo(region.address());
        assertThat(lastLength).isEqualTo(1000);
        assertThat(memory.registration(region).localKey()).isEqualTo(key);
        assertThat(memory.registration(slice.position(10).slice()).localKey()).isEqualTo(key);
        assertThat(counters.registrations()).isEqualTo(1);
    }

    @Test
    void shouldKnowAForeignBufferAgainThatIsWrappedAnew() throws Exception {
        ByteBuffer foreign = ByteBuffer.allocateDirect(100);
        int key = memory.registration(OffHeapBuffer.wrap(foreign)).localKey();
        foreign.put(0, (byte) 1);
        assertThat(memory.registration(OffHeapBuffer.wrap(foreign)).localKey()).isEqualTo(key);
        assertThat(counters.registrations()).isEqualTo(1);
    }

    @Test
    void shouldTellBuffersWithEqualContentsApart() throws Exception {
        CrailBuffer first = buffer(100);
        CrailBuffer second = buffer(100);
        assertThat(memory.registration(first).localKey())
                .isNotEqualTo(memory.registration(second).localKey());
        assertThat(counters.registrations()).isEqualTo(2);
    }

    @Test
    void shouldDeregisterWhatIsGarbage() throws Exception {
        CrailBuffer kept = buffer(100);
        memory.registration(kept);
        for (int i = 0; i < 10; i++) {
            memory.registration(buffer(100));
        }
        TierFixture.await("garbage is deregistered", () -> {
            System.gc();
            return live.get() == 1;
        });
        assertThat(memory.size()).isEqualTo(1);
        assertThat(memory.registration(kept).localKey()).isEqualTo(1);
    }

    @Test
    void shouldDeregisterEverythingWhenItIsClosed() throws Exception {
        CrailBuffer buffer = buffer(100);
        memory.registration(buffer);
        memory.close();
        assertThat(live.get()).isZero();
        assertThatThrownBy(() -> memory.registration(buffer).localKey()).isInstanceOf(ClosedException.class);
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
        assertThatThrownBy(() -> memory.registration(heap).localKey())
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("on the heap")
                .hasMessageContaining("allocateDirect");
    }

    @Test
    void shouldSayWhatToDoWhenMemoryCannotBeRegistered() throws Exception {
        full = true;
        CrailBuffer buffer = buffer(100);
        assertThatThrownBy(() -> memory.registration(buffer).localKey())
                .isInstanceOf(BufferExhaustedException.class)
                .hasMessageContaining("100 bytes")
                .hasMessageContaining("ulimit -l");
        full = false;
        assertThat(memory.registration(buffer).localKey()).isEqualTo(1);
    }
}
