/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.server;

import org.apache.crail.rpc.message.ResponseFrame;

/**
 * What a client has been answered and may ask again, because it has not told yet that the answer arrived. Bounded by the
 * number of calls that a client has in flight. Not thread safe; its session guards it.
 */
final class ReplyMemory {
    private final int size;
    private ResponseFrame[] replies;
    private long oldest;

    /** Makes an empty memory for {@code size} replies, a power of two. */
    ReplyMemory(int size) {
        this.size = size;
    }

    /** Forgets the answers below this id: the client has them. */
    void forgetBelow(long oldestPending) {
        if (replies != null) {
            long end = Math.min(oldestPending, oldest + size);
            for (long id = oldest; id < end; id++) {
                replies[index(id)] = null;
            }
        }
        oldest = Math.max(oldest, oldestPending);
    }

    /** Whether the client has the answer to this request already, so that it is a late copy to be ignored. */
    boolean isForgotten(long requestId) {
        return requestId < oldest;
    }

    /** Whether the id lies further ahead than a client that keeps to its window can be. */
    boolean isBeyondWindow(long requestId) {
        return requestId >= oldest + size;
    }

    /** The answer that was given to this request, or null. */
    ResponseFrame recall(long requestId) {
        return replies == null ? null : replies[index(requestId)];
    }

    void remember(ResponseFrame reply) {
        if (replies == null) {
            replies = new ResponseFrame[size];
        }
        replies[index(reply.requestId())] = reply;
    }

    private int index(long requestId) {
        return (int) requestId & (size - 1);
    }
}
