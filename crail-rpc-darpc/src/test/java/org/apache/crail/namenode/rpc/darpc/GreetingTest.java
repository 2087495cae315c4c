/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.apache.crail.error.ProtocolMismatchException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GreetingTest {
    private static ByteBuffer encoded(Greeting greeting) {
        ByteBuffer buffer = ByteBuffer.allocate(Payload.SMALLEST_BYTES);
        greeting.writeTo(buffer);
        return buffer.flip();
    }

    @Test
    void shouldTellWhatWasWritten() throws Exception {
        Greeting greeting = new Greeting(4096, 32);
        assertThat(Greeting.read(encoded(greeting))).isEqualTo(greeting);
    }

    @Test
    void shouldTakeTheLowerValues() {
        assertThat(new Greeting(4096, 8).commonWith(new Greeting(1024, 32))).isEqualTo(new Greeting(1024, 8));
    }

    @ParameterizedTest
    @CsvSource({"255, 8", "131073, 8", "-1, 8", "4096, 0", "4096, -1", "4096, 16385"})
    void shouldRefuseImpossibleValues(int payloadBytes, int depth) {
        ByteBuffer greeting = encoded(new Greeting(payloadBytes, depth));
        assertThatThrownBy(() -> Greeting.read(greeting)).isInstanceOf(ProtocolMismatchException.class);
    }

    @Test
    void shouldRefuseAnotherVersionAndGarbage() {
        ByteBuffer other = encoded(new Greeting(4096, 32)).putInt(4, 99);
        assertThatThrownBy(() -> Greeting.read(other))
                .isInstanceOf(ProtocolMismatchException.class)
                .hasMessageContaining("version 99")
                .hasMessageContaining("same release");
        assertThatThrownBy(() -> Greeting.read(ByteBuffer.allocate(16))).isInstanceOf(ProtocolMismatchException.class);
        assertThatThrownBy(() -> Greeting.read(ByteBuffer.allocate(3))).isInstanceOf(ProtocolMismatchException.class);
    }
}
