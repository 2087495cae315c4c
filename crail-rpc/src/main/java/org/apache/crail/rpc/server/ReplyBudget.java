/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.server;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory for what clients may ask again, in all. One half is for clients that hold little. Of the other half each
 * may hold a quarter of what is left (dynamic thresholds; Choudhury and Hahne, IEEE/ACM ToN 1998). All methods are
 * thread safe.
 */
final class ReplyBudget {
    /** About what a session takes that has no answers. */
    static final int SESSION_BYTES = 512;

    /** Enough for some calls in flight. */
    private static final int LITTLE_BYTES = 4096;

    private static final int SHARE_OF_REST = 4;

    private final long limitBytes;
    private final AtomicLong taken = new AtomicLong();

    ReplyBudget(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** Takes so many bytes, or gives them back if negative. */
    void take(long bytes) {
        if (bytes != 0) {
            taken.addAndGet(bytes);
        }
    }

    long takenBytes() {
        return taken.get();
    }

    /** Whether a client that holds so much may get more. */
    boolean hasRoomFor(long heldBytes) {
        long takenBytes = taken.get();
        return heldBytes < LITTLE_BYTES
                ? takenBytes < limitBytes
                : heldBytes < (limitBytes / 2 - takenBytes) / SHARE_OF_REST;
    }

    /** Whether so much is taken that what clients without connections hold should be given back. */
    boolean isShort() {
        return taken.get() > limitBytes / 4;
    }
}
