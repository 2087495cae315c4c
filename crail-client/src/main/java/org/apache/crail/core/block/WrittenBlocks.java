/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.block;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.crail.metadata.BlockInfo;

/**
 * In which blocks of its node a stream has written something. Only a block in which it has not can be given up, for one
 * of another datanode. What ends well in a block that has been given up is not written. Thread safe.
 */
final class WrittenBlocks {
    private final BitSet written = new BitSet();

    /** What the namenode says of the blocks that have been given up. One that has no answer yet, or none, stays so. */
    private final Map<BlockInfo, CompletableFuture<LeasedBlock>> givenUp = new HashMap<>(0);

    /** Bytes are in a block; answers whether they are the node's, as the block has not been given up. */
    synchronized boolean add(LeasedBlock location) {
        if (!givenUp.isEmpty() && givenUp.containsKey(location.block)) {
            return false;
        }
        written.set((int) location.index);
        return true;
    }

    /**
     * Gives a block up, unless bytes are in it. Those who give up the same block share one question, as the answer to a
     * second one could replace a block that the first one had let be.
     *
     * @param ask asks for a block in its place; the answer is the same one if there is no other
     * @return the answer; null if bytes are in the block
     */
    CompletableFuture<LeasedBlock> giveUp(LeasedBlock location, Supplier<CompletableFuture<LeasedBlock>> ask) {
        CompletableFuture<LeasedBlock> answer = new CompletableFuture<>();
        synchronized (this) {
            CompletableFuture<LeasedBlock> asked = givenUp.get(location.block);
            if (asked != null && !asked.isCompletedExceptionally()) {
                return asked;
            }
            if (asked == null && written.get((int) location.index)) {
                return null;
            }
            givenUp.put(location.block, answer);
        }
        ask.get().whenComplete((found, failure) -> answered(location, answer, found, failure));
        return answer;
    }

    private void answered(
            LeasedBlock location, CompletableFuture<LeasedBlock> answer, LeasedBlock found, Throwable failure) {
        if (failure != null) {
            answer.completeExceptionally(failure); // it may have been replaced
            return;
        }
        if (found.isSameAs(location)) {
            synchronized (this) {
                givenUp.remove(location.block);
            }
        }
        answer.complete(found);
    }

    /** Another block, in which there is nothing, takes the place of the one with an index. */
    synchronized void replaced(long index) {
        written.clear((int) index);
    }
}
