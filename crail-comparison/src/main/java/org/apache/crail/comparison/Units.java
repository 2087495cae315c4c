/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import java.nio.ByteBuffer;

/** Memory of one unit or more, in turn. Used by one thread. */
final class Units {
    private final ByteBuffer memory;
    private int next;

    /** Takes over memory whose capacity is a multiple of {@link PeerClient#UNIT_BYTES}. */
    Units(ByteBuffer memory) {
        this.memory = memory;
    }

    /** The next one; after the last comes the first. */
    ByteBuffer next() {
        int begin = next;
        next = (begin + PeerClient.UNIT_BYTES) % memory.capacity();
        return memory.slice(begin, PeerClient.UNIT_BYTES);
    }
}
