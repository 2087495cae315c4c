/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.CrailBuffer;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.BufferExhaustedException;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.memory.BufferCache;
import org.apache.crail.memory.OffHeapBuffer;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.storage.device.DirectTransfer;
import org.apache.crail.storage.device.RegisteredMemory;
import org.apache.crail.verbs.NativeVerbs;
import org.junit.jupiter.api.Test;

class RegisteredMemoryTest {
    private final RdmaCounters counters = new RdmaCounters();
    private final AtomicInteger live = new AtomicInteger();
    private final AtomicInteger keys = new AtomicInteger();
    private long lastAddress;
    private int lastLength;
    private boolean full;

    private RegisteredMemory<Fake> memory = new RegisteredMemory<>(this::register);

    private record Fake(int localKey, AtomicInteger live) implements RegisteredMemory.Registration {
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

    private static RdmaTransfer transfer(CrailBuffer buffer) {
        BlockInfo block = null;
        return new RdmaTransfer(new DirectTransfer.Range(false, block, 0, buffer, 0, buffer.capacity(), 0));
    }

    /** A program that reads into a new slice of its memory each time, as Hadoop's does. */
    @Test
    void shouldKeepFewRegistrationsOfMemoryThatComesAsANewBufferEachTime() throws Exception {
        ByteBuffer program = ByteBuffer.allocateDirect(1 << 16);
        for (int i = 0; i < 10_000; i++) {
            RdmaTransfer transfer = transfer(OffHeapBuffer.wrap(program.slice()));
            memory.registration(transfer);
            transfer.succeed();
            int size = memory.size(); // lets go of what the collector has found meanwhile
            assertThat(live.get()).isEqualTo(size).isLessThanOrEqualTo(65);
        }
    }

    @Test
    void shouldRegisterOnceWhatAProgramGoesOnWith() throws Exception {
        CrailBuffer program = buffer(100);
        for (int i = 0; i < 1_000; i++) {
            RdmaTransfer transfer = transfer(program);
            memory.registration(transfer);
            transfer.fail(new ClosedException("a failure"));
        }
        assertThat(counters.registrations()).isEqualTo(1);
    }

    @Test
    void shouldKeepWhatTransfersUse() throws Exception {
        List<RdmaTransfer> used = new ArrayList<>();
        CrailBuffer shared = buffer(100);
        used.add(transfer(shared));
        used.add(transfer(shared));
        for (int i = 0; i < 200; i++) {
            used.add(transfer(buffer(100)));
        }
        for (RdmaTransfer transfer : used) {
            memory.registration(transfer);
        }
        assertThat(live.get()).isEqualTo(201);
        used.get(0).succeed();
        for (int i = 2; i < used.size(); i++) {
            used.get(i).succeed();
        }
        assertThat(live.get()).as("64, and the one that a transfer still uses").isEqualTo(65);
        int key = memory.registration(transfer(shared)).localKey();
        assertThat(key).isEqualTo(1);
        memory.close();
        used.get(1).succeed();
        assertThat(live.get()).isZero();
    }

    @Test
    void shouldGiveUpWhatIsNotUsedWhenTheDeviceTakesNoMore() throws Exception {
        memory = new RegisteredMemory<>((region, address) -> {
            full = live.get() >= 3;
            return register(region, address);
        });
        for (int i = 0; i < 10; i++) {
            RdmaTransfer transfer = transfer(buffer(100));
            memory.registration(transfer);
            transfer.succeed();
        }
        assertThat(live.get()).isLessThanOrEqualTo(3);
        RdmaTransfer[] used = {transfer(buffer(1)), transfer(buffer(1)), transfer(buffer(1)), transfer(buffer(1))};
        for (int i = 0; i < 3; i++) {
            memory.registration(used[i]);
        }
        assertThatThrownBy(() -> memory.registration(used[3])).isInstanceOf(BufferExhaustedException.class);
    }

    /** However many those are. */
    @Test
    void shouldKeepTheMemoryOfABufferCacheRegistered() throws Exception {
        CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        conf.set(CrailKeys.BUFFER_SIZE, 4096);
        conf.set(CrailKeys.SLICE_SIZE, 4096);
        BufferCache cache = BufferCache.createInstance(conf);
        List<CrailBuffer> buffers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            buffers.add(cache.allocateBuffer());
        }
        for (int round = 0; round < 2; round++) {
            for (CrailBuffer buffer : buffers) {
                RdmaTransfer transfer = transfer(buffer.position(8).slice());
                memory.registration(transfer);
                transfer.succeed();
                buffer.clear();
            }
        }
        assertThat(counters.registrations()).isEqualTo(100);
        assertThat(live.get()).isEqualTo(100);
        cache.close();
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
