/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.message;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;

/** Memory of rings, used again and again. Thread safe. */
final class RingMemory {
    private static final int CACHE_LINE_BYTES = 64;
    private static final int WORDS = 4;
    private static final int WORD_DISTANCE_BYTES = 128;

    private final ByteBuffer[] all;
    private final AtomicInteger taken = new AtomicInteger();

    RingMemory(int rings) {
        all = new ByteBuffer[rings];
        for (int i = 0; i < rings; i++) {
            all[i] = ByteBuffer.allocateDirect(ByteRing.TOTAL_BYTES + CACHE_LINE_BYTES)
                    .alignedSlice(CACHE_LINE_BYTES)
                    .slice(0, ByteRing.TOTAL_BYTES)
                    .order(ByteOrder.nativeOrder());
        }
    }

    /** The memory of an empty ring, with former bytes in it. */
    ByteBuffer next() {
        ByteBuffer memory = all[Math.floorMod(taken.getAndIncrement(), all.length)];
        for (int word = 0; word < WORDS; word++) {
            memory.putLong(word * WORD_DISTANCE_BYTES, 0);
        }
        return memory.put(ByteRing.TOTAL_BYTES - ByteRing.CAPACITY_BYTES, (byte) 0);
    }
}
