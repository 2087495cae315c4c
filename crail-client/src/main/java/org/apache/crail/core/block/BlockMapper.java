/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.block;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.crail.core.call.NamenodeRouter;
import org.apache.crail.core.call.Waiting;
import org.apache.crail.error.PositionOutOfRangeException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.rpc.message.MapRequest;
import org.apache.crail.rpc.message.MapResponse;

/**
 * Translates the block indexes of one node to locations for one stream: from the cache, from answers that are on their
 * way, or by asking, many blocks at a time. Never blocks but in {@link #await}; thread safe.
 */
public final class BlockMapper {
    /** The most blocks that one request asks for; at most MapRequest.MAX_COUNT are answered. */
    public static final int MAX_BATCH = 64;

    /**
     * So many blocks before the first that has not been asked for, more are asked for at the latest: to copy one is
     * quicker than to ask.
     */
    private static final int LEAST_MARGIN = 2;

    private final StoreParts parts;
    private final long fd;
    private final WriteToken token;
    private final FileBlocks blocks;
    private final WrittenBlocks written = new WrittenBlocks();
    private final List<Asked> pending = new ArrayList<>();

    /** Behind the last block that has been asked for ahead of time. */
    private long aheadEnd;

    /**
     * Whether a whole block, into which a small node grows, takes the place of the first one: from when it is asked
     * for, so before the answer. Readers are not told of it yet.
     */
    private volatile boolean hasGrown;

    private volatile LeasedBlock whole;

    /**
     * Makes a mapper.
     *
     * @param token allows to allocate blocks; null to read
     * @param blocks the locations that are known, which are those of whoever knows the node's capacity
     */
    public BlockMapper(StoreParts parts, long fd, WriteToken token, FileBlocks blocks) {
        this.parts = parts;
        this.fd = fd;
        this.token = token;
        this.blocks = blocks;
    }

    /** A request for consecutive blocks that has not been answered; no two are equal. */
    private static final class Asked {
        private final long first;
        private final int count;
        private final CompletableFuture<List<LeasedBlock>> answer = new CompletableFuture<>();

        Asked(long first, int count) {
            this.first = first;
            this.count = count;
        }

        boolean covers(long index) {
            return index >= first && index < first + count;
        }
    }

    /** The location of a block if it can be used now, else null. */
    public LeasedBlock cached(long index) {
        long nowNs = parts.blocks().nowNs();
        if (!tokenConfirmed(nowNs)) {
            return null;
        }
        return hasGrown && index == 0 ? validWhole(nowNs) : blocks.get(index, nowNs);
    }

    private LeasedBlock validWhole(long nowNs) {
        LeasedBlock known = whole;
        return known != null && known.isValid(nowNs) ? known : null;
    }

    /**
     * Asks for a whole block in the place of the first one, which is a part of one, and for those behind it.
     *
     * @param isAwaited whether this thread is going to wait for the answer
     */
    public CompletableFuture<LeasedBlock> growFirst(int wanted, boolean isAwaited) {
        hasGrown = true;
        written.replaced(0);
        return ask(0, Math.min(wanted, MAX_BATCH), isAwaited, null).thenApply(answer -> answer.get(0));
    }

    /** Whether others may still be told of a part in the place of the first block that this one uses. */
    public boolean hasGrown() {
        return hasGrown;
    }

    /** Whether a location can be used now. */
    boolean isValid(LeasedBlock location) {
        long nowNs = parts.blocks().nowNs();
        return location.isValid(nowNs) && tokenConfirmed(nowNs);
    }

    private boolean tokenConfirmed(long nowNs) {
        return token == null || token.isConfirmed(nowNs);
    }

    /**
     * The location of block {@code index}; from an answer that is on its way if one will tell.
     *
     * @param wanted how many blocks, from this one on, to ask for if it must be asked
     */
    public CompletableFuture<LeasedBlock> locate(long index, int wanted) {
        return locate(index, wanted, false);
    }

    /** The same, for a thread that waits; fails if there is no such block or the namenode does not tell. */
    LeasedBlock await(long index, int wanted) throws IOException {
        return parts.calls().await("locating a block of node " + fd, locate(index, wanted, true));
    }

    private CompletableFuture<LeasedBlock> locate(long index, int wanted, boolean isAwaited) {
        CompletableFuture<List<LeasedBlock>> coming = coming(index);
        if (coming == null) {
            LeasedBlock known = cached(index);
            return known != null
                    ? CompletableFuture.completedFuture(known)
                    : ask(index, Math.min(wanted, MAX_BATCH), isAwaited, null).thenApply(answer -> answer.get(0));
        }
        return coming.handle((answer, failure) -> {
                    LeasedBlock known = failure == null ? cached(index) : null;
                    return known != null ? CompletableFuture.completedFuture(known) : confirm(index);
                })
                .thenCompose(location -> location);
    }

    private synchronized CompletableFuture<List<LeasedBlock>> coming(long index) {
        for (Asked asked : pending) {
            if (asked.covers(index)) {
                return asked.answer;
            }
        }
        return null;
    }

    /** Asks for the location of a block, whatever is known. */
    public CompletableFuture<LeasedBlock> confirm(long index) {
        return ask(index, 1).thenApply(answer -> answer.get(0));
    }

    /** Bytes have been written to a location; answers whether they are the node's, see {@link #goAround}. */
    boolean wrote(LeasedBlock location) {
        return written.add(location);
    }

    /** The location of a block that was heard of last, whose lease may be over; null if there is none. */
    LeasedBlock latest(long index) {
        return hasGrown && index == 0 ? whole : blocks.latest(index);
    }

    /**
     * Asks for a block of another datanode in the place of one that the writer cannot reach. If there is none, the
     * answer is the same location again.
     *
     * @return null if the writer has written to the block, which it keeps then
     */
    CompletableFuture<LeasedBlock> goAround(LeasedBlock unreachable) {
        return written.giveUp(unreachable, () -> ask(unreachable.index, 1, false, unreachable.block)
                .thenApply(answer -> answer.get(0)));
    }

    /** Forgets a location that turned out to be wrong. */
    void forget(LeasedBlock location) {
        blocks.remove(location);
    }

    /**
     * Asks ahead of time for the blocks behind {@code index}, unless that has been done.
     *
     * @param last the last block of interest
     * @param batch how many blocks to ask for at a time
     */
    public void askAhead(long index, long last, int batch) {
        long first;
        int count;
        synchronized (this) {
            long margin = Math.max(LEAST_MARGIN, batch / 4);
            first = Math.max(aheadEnd, index + 1);
            if (first > last || aheadEnd > index + margin) {
                return;
            }
            count = (int) Math.min(batch, last - first + 1);
            aheadEnd = first + count;
        }
        if (cached(first) == null || count > 1) {
            ask(first, count);
        }
    }

    /** The stream moves elsewhere: what was asked ahead does not matter any more. */
    public synchronized void resetAhead() {
        aheadEnd = 0;
    }

    private CompletableFuture<List<LeasedBlock>> ask(long first, int count) {
        return ask(first, count, false, null);
    }

    private CompletableFuture<List<LeasedBlock>> ask(long first, int count, boolean isAwaited, BlockInfo unreachable) {
        boolean isWhole = hasGrown && first == 0;
        long position = isWhole
                ? parts.settings().smallBlockBytes()
                : first * parts.settings().blockSizeBytes();
        long sentNs = parts.blocks().nowNs();
        Asked asked = new Asked(first, count);
        synchronized (this) {
            pending.add(asked);
            aheadEnd = Math.max(aheadEnd, first + count);
        }
        MapRequest request = new MapRequest(fd, token == null ? 0 : token.value(), position, count, unreachable);
        NamenodeRouter router = parts.router();
        (isAwaited ? router.askForNode(fd, request) : router.callForNode(fd, request))
                .thenApply(response -> keep(first, isWhole, sentNs, response))
                .whenComplete((kept, failure) -> answered(asked, kept, failure));
        return asked.answer;
    }

    private void answered(Asked asked, List<LeasedBlock> kept, Throwable failure) {
        synchronized (this) {
            // Only now: who finds no answer on its way looks at what is known, and asks again if it is not there.
            pending.remove(asked);
        }
        if (failure == null && !kept.isEmpty()) {
            asked.answer.complete(kept);
        } else if (failure == null) {
            asked.answer.completeExceptionally(new PositionOutOfRangeException(
                    "the node has no block " + asked.first + "; look its path up again"));
        } else {
            if (token != null) {
                token.failed(Waiting.typed("mapping node " + fd, failure));
            }
            asked.answer.completeExceptionally(failure);
        }
    }

    private List<LeasedBlock> keep(long first, boolean isWhole, long sentNs, MapResponse response) {
        List<BlockInfo> found = response.blocks();
        long expiryNs = parts.blocks().expiryNs(sentNs);
        if (token != null && !found.isEmpty()) {
            token.confirm(expiryNs);
        }
        List<LeasedBlock> leased = new ArrayList<>(found.size());
        for (int i = 0; i < found.size(); i++) {
            LeasedBlock block = new LeasedBlock(first + i, found.get(i), expiryNs);
            if (isWhole && i == 0) {
                whole = block;
            } else {
                parts.blocks().put(blocks, block, response.layout());
            }
            leased.add(block);
        }
        return leased;
    }
}
