/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.peers;

import java.nio.ByteBuffer;
import org.apache.crail.comparison.PeerClient;

/** Memory of one unit or more, in turn. Used by one thread. */
final class Units {
    static final int PAGE_BYTES = 4096;

    private final ByteBuffer memory;
    private int next;

    /** Takes over memory whose capacity is a multiple of {@link PeerClient#UNIT_BYTES}. */
    Units(ByteBuffer memory) {
        this.memory = memory;
    }

    /** So many units in memory that begins with a page, as that of a store's buffers does. */
    static Units pageAligned(int units) {
        int bytes = units * PeerClient.UNIT_BYTES;
        return new Units(ByteBuffer.allocateDirect(bytes + PAGE_BYTES)
                .alignedSlice(PAGE_BYTES)
                .slice(0, bytes));
    }

    /** The next one; after the last comes the first. */
    ByteBuffer next() {
        int begin = next;
        next = (begin + PeerClient.UNIT_BYTES) % memory.capacity();
        return memory.slice(begin, PeerClient.UNIT_BYTES);
    }
}
