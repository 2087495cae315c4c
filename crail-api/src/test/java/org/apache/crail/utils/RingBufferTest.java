/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.utils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RingBufferTest {
    @Test
    void shouldBehaveAsAQueueOfBoundedSize() {
        RingBuffer<Integer> ring = new RingBuffer<>(5);
        Queue<Integer> queue = new ArrayDeque<>();
        Random random = new Random(1);
        for (int i = 0; i < 1000; i++) {
            if (random.nextBoolean()) {
                assertThat(ring.add(i)).isEqualTo(queue.size() < 5 && queue.add(i));
            } else {
                assertThat(ring.peek()).isEqualTo(queue.peek());
                assertThat(ring.poll()).isEqualTo(queue.poll());
            }
            assertThat(ring.size()).isEqualTo(queue.size());
            assertThat(ring.remaining()).isEqualTo(5 - queue.size());
            assertThat(ring.isEmpty()).isEqualTo(queue.isEmpty());
        }
        ring.clear();
        assertThat(ring.poll()).isNull();
        assertThat(ring.capacity()).isEqualTo(5);
    }

    @Test
    void shouldRefuseToHoldNothing() {
        assertThatThrownBy(() -> new RingBuffer<>(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldGiveAnImmediateOperation() throws Exception {
        CrailImmediateOperation operation = new CrailImmediateOperation(7);
        assertThat(operation.isDone()).isTrue();
        assertThat(operation.get().getLen()).isEqualTo(7);
        assertThat(operation.cancel(true)).isFalse();
    }
}
