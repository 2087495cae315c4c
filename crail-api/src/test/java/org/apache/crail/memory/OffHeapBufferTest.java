/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.apache.crail.CrailBuffer;
import org.apache.crail.internal.BufferAddress;
import org.junit.jupiter.api.Test;

class OffHeapBufferTest {
    private final ByteBuffer direct = ByteBuffer.allocateDirect(64);

    @Test
    void shouldRefuseBuffersOnTheHeap() {
        assertThatThrownBy(() -> OffHeapBuffer.wrap(ByteBuffer.allocate(1)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("buffer not offheap");
    }

    @Test
    void shouldSharePositionAndLimitWithTheWrappedBuffer() throws Exception {
        direct.position(4).limit(20);
        CrailBuffer buffer = OffHeapBuffer.wrap(direct);
        assertThat(buffer.remaining()).isEqualTo(16);
        assertThat(buffer.getInt()).isZero();
        assertThat(direct.position()).isEqualTo(8);
        assertThat(buffer.getByteBuffer()).isSameAs(direct);
        assertThat(buffer.clear().capacity()).isEqualTo(64);
        assertThat(buffer.getRegion()).isSameAs(buffer);
    }

    @Test
    void shouldReadWhatWasWritten() throws Exception {
        CrailBuffer buffer = OffHeapBuffer.wrap(direct);
        assertThat(buffer.put((byte) 1)).isSameAs(direct);
        buffer.putShort((short) 2).putInt(3).putLong(4).putFloat(5).putDouble(6);
        buffer.put(new byte[] {7, 8}).put(new byte[] {0, 9, 0}, 1, 1).put(ByteBuffer.wrap(new byte[] {10, 11}));
        buffer.flip();
        assertThat(direct.get(2)).as("big-endian").isEqualTo((byte) 2);
        assertThat(buffer.get()).isEqualTo((byte) 1);
        assertThat(buffer.getShort()).isEqualTo((short) 2);
        assertThat(buffer.getInt()).isEqualTo(3);
        assertThat(buffer.getLong()).isEqualTo(4);
        assertThat(buffer.getFloat()).isEqualTo(5);
        assertThat(buffer.getDouble()).isEqualTo(6);
        byte[] target = new byte[3];
        buffer.get(target, 0, 1).get(target, 1, 2);
        assertThat(target).containsExactly(7, 8, 9);
        ByteBuffer rest = ByteBuffer.allocate(2);
        buffer.get(rest);
        assertThat(rest.array()).containsExactly(10, 11);
        assertThat(buffer.hasRemaining()).isFalse();
        assertThatThrownBy(buffer::get).isInstanceOf(BufferUnderflowException.class);
    }

    @Test
    void shouldThrowUnderflowWhenATargetWantsMoreThanThereIs() throws Exception {
        CrailBuffer buffer = OffHeapBuffer.wrap(direct);
        buffer.limit(3);
        assertThatThrownBy(() -> buffer.get(ByteBuffer.allocate(4))).isInstanceOf(BufferUnderflowException.class);
        assertThat(buffer.position()).isZero();
    }

    @Test
    void shouldTellAddressesOfSlicesWhateverTheirPosition() throws Exception {
        assertThat(BufferAddress.isAvailable()).isTrue();
        CrailBuffer buffer = OffHeapBuffer.wrap(direct);
        long base = buffer.address();
        buffer.position(16);
        assertThat(OffHeapBuffer.wrap(direct).address()).isEqualTo(base);
        CrailBuffer slice = buffer.slice();
        assertThat(slice.address()).isEqualTo(base + 16);
        assertThat(slice.position(8).slice().address()).isEqualTo(base + 24);
        assertThat(slice.getRegion()).isSameAs(buffer);
        assertThat(BufferAddress.of(direct.slice())).isEqualTo(base + 16);
        assertThatThrownBy(() -> BufferAddress.of(ByteBuffer.allocate(1))).isInstanceOf(IllegalArgumentException.class);
    }
}
