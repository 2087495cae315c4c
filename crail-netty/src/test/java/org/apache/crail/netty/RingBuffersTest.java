/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import org.apache.crail.local.message.MessageMemory;
import org.apache.crail.local.message.RingReader;
import org.apache.crail.local.message.RingWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RingBuffersTest {
    private final MessageMemory memory = MessageMemory.create();
    private final RingWriter writer = memory.writer();
    private final RingReader reader = MessageMemory.open(memory.path()).reader();

    RingBuffersTest() throws IOException {}

    @AfterEach
    void removeMemory() {
        memory.removeName();
    }

    private static ByteBuf numbers(int length) {
        ByteBuf numbers = Unpooled.buffer(length);
        for (int i = 0; i < length; i++) {
            numbers.writeByte(i);
        }
        return numbers;
    }

    private void assertCarried(int length) throws Exception {
        ByteBuf from = numbers(length);
        assertThat(RingBuffers.write(writer, from)).isEqualTo(length);
        assertThat(from.isReadable()).isFalse();
        writer.publish();
        ByteBuf into = Unpooled.buffer(length, length);
        assertThat(RingBuffers.read(reader, into)).isFalse();
        assertThat(into).isEqualTo(numbers(length));
        assertThat(reader.hasBytes()).isFalse();
    }

    @Test
    void shouldCarryBytesThatLieInTwoPieces() throws Exception {
        int most = RingReader.MOST_BYTES;
        assertCarried(most - 7);
        assertCarried(20);
        assertCarried(most);
    }

    @Test
    void shouldTakeNoMoreThanThereIsRoomForOnEitherSide() throws Exception {
        ByteBuf from = numbers(RingReader.MOST_BYTES + 3);
        assertThat(RingBuffers.write(writer, from)).isEqualTo(RingReader.MOST_BYTES);
        assertThat(from.readableBytes()).isEqualTo(3);
        writer.publish();
        ByteBuf into = Unpooled.buffer(5, 5);
        assertThat(writer.awaitRoom()).isFalse();
        assertThat(RingBuffers.read(reader, into))
                .as("whether the writer is to be woken")
                .isTrue();
        assertThat(into).isEqualTo(numbers(5));
        assertThat(RingBuffers.write(writer, from)).isEqualTo(3);
    }
}
