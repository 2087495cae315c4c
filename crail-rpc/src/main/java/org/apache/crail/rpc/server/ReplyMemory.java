/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.server;

import org.apache.crail.rpc.message.RequestFrame;
import org.apache.crail.rpc.message.ResponseFrame;

/**
 * What a client has been answered and may ask again, because it has not told yet that the answer arrived; each answer
 * with the request that it belongs to. Grows with the number of calls in flight, up to a limit, and shrinks when they
 * are answered. Not thread safe; its session guards it.
 */
final class ReplyMemory {
    private static final int FEW = 4;

    /** About what the objects of a request and its answer take, beside what is as long as their bytes. */
    private static final int OBJECT_BYTES = 384;

    private static final int SLOT_BYTES = 12;

    private final int maxSize;
    private RequestFrame[] requests;
    private ResponseFrame[] replies;
    private int[] bytes;
    private int kept;
    private long oldest;
    private long totalBytes;

    /** Makes an empty memory for up to {@code maxSize} replies, a power of two. */
    ReplyMemory(int maxSize) {
        this.maxSize = maxSize;
    }

    /** About how much memory is taken. */
    long totalBytes() {
        return totalBytes;
    }

    /** Forgets the answers below this id: the client has them. */
    void forgetBelow(long oldestPending) {
        if (oldestPending <= oldest) {
            return;
        }
        if (kept > 0) {
            int count = (int) Math.min(oldestPending - oldest, replies.length);
            for (int i = 0; i < count; i++) {
                forget(index(oldest + i));
            }
        }
        oldest = oldestPending;
        if (kept == 0 && replies != null && replies.length > FEW) {
            resize(0);
        }
    }

    private void forget(int index) {
        if (replies[index] != null) {
            totalBytes -= bytes[index];
            kept--;
            replies[index] = null;
            requests[index] = null;
        }
    }

    /** Whether the client has the answer to this request already. */
    boolean isForgotten(long requestId) {
        return requestId < oldest;
    }

    /** Whether the id lies further ahead than a client that keeps to its window can be. */
    boolean isBeyondWindow(long requestId) {
        return requestId - oldest >= maxSize;
    }

    /** The answer that was given under this id, or null. */
    ResponseFrame recall(long requestId) {
        return isWithinSize(requestId) ? replies[index(requestId)] : null;
    }

    /** The request to which {@link #recall} gives the answer. */
    RequestFrame requestOf(long requestId) {
        return requests[index(requestId)];
    }

    private boolean isWithinSize(long requestId) {
        return replies != null && requestId - oldest < replies.length;
    }

    void remember(RequestFrame request, ResponseFrame reply) {
        if (!isWithinSize(request.requestId())) {
            resize(sizeFor(request.requestId()));
        }
        int index = index(request.requestId());
        requests[index] = request;
        replies[index] = reply;
        bytes[index] = OBJECT_BYTES + 2 * (request.encodedLength() + reply.encodedLength());
        totalBytes += bytes[index];
        kept++;
    }

    private int sizeFor(long requestId) {
        int size = FEW;
        while (requestId - oldest >= size) {
            size *= 2;
        }
        return size;
    }

    private void resize(int size) {
        RequestFrame[] oldRequests = requests;
        ResponseFrame[] oldReplies = replies;
        int[] oldBytes = bytes;
        int oldSize = oldReplies == null ? 0 : oldReplies.length;
        requests = size == 0 ? null : new RequestFrame[size];
        replies = size == 0 ? null : new ResponseFrame[size];
        bytes = size == 0 ? null : new int[size];
        totalBytes += (long) SLOT_BYTES * (size - oldSize);
        for (int i = 0; i < oldSize; i++) {
            if (oldReplies[i] != null) {
                int index = index(oldReplies[i].requestId());
                requests[index] = oldRequests[i];
                replies[index] = oldReplies[i];
                bytes[index] = oldBytes[i];
            }
        }
    }

    private int index(long requestId) {
        return (int) requestId & (replies.length - 1);
    }
}
