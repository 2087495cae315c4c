/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailResult;
import org.apache.crail.core.block.CoreDataOperation;
import org.apache.crail.core.block.LeasedBlock;
import org.apache.crail.core.block.MappedCopy;
import org.apache.crail.core.block.WriteToken;
import org.apache.crail.core.call.NamenodeRouter;
import org.apache.crail.core.call.Waiting;
import org.apache.crail.error.CrailException;
import org.apache.crail.rpc.client.PendingCall;
import org.apache.crail.rpc.message.SyncRequest;
import org.apache.crail.rpc.message.SyncResponse;
import org.apache.crail.utils.CrailImmediateOperation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends to a file; see {@link CrailOutputStream} for the contract and who may call. The write token is renewed while
 * the stream is open; once a write has failed, or the token is lost, every further write and sync fails with the
 * reason, and so does the close, unless the namenode knows of all that was written: that of the first write that
 * failed, else that of the loss.
 */
class CoreOutputStream extends CoreStream implements CrailOutputStream {
    private static final Logger LOG = LoggerFactory.getLogger(CoreOutputStream.class);

    private final WriteToken token;
    private final WriteProgress progress;
    private final long hint;
    private final WriteAhead ahead;
    private CompletableFuture<Void> latestSync = CompletableFuture.completedFuture(null);
    private CompletableFuture<Void> headReady = READY;
    private boolean mayBeSmall;
    private volatile long syncedPosition;
    private volatile long confirmedCapacity; // by the namenode
    private volatile boolean finished;

    /** Whether a transfer has failed, of which nobody knows whether it will reach its block after all. */
    private volatile boolean isInDoubt;

    CoreOutputStream(CoreFile file, WriteToken token, long writeHint) {
        super(file, token, file.getCapacity());
        this.token = token;
        this.hint = writeHint;
        boolean isFile = file.getType() == CrailNodeType.DATAFILE;
        this.ahead = new WriteAhead(settings(), position(), writeHint, isFile);
        this.syncedPosition = position();
        this.confirmedCapacity = position();
        this.progress = new WriteProgress(position(), this::written);
        int smallBytes = settings().smallBlockBytes();
        this.mayBeSmall = smallBytes > 0 && position() <= smallBytes;
        runtime().streams().opened(this);
    }

    @Override
    public final Future<CrailResult> write(CrailBuffer dataBuf) throws Exception {
        int length = dataBuf.remaining();
        if (length == 0) {
            checkWritable();
            return new CrailImmediateOperation(0);
        }
        inFlight().begin();
        boolean isReady = false;
        try {
            checkWritable(); // behind the begin: a close either waits for this, or is seen
            runtime().checkIn(dataBuf);
            isReady = true;
        } finally {
            if (!isReady) {
                inFlight().end();
            }
        }
        long end = position() + length;
        int blocks = blocks(position(), length);
        WriteOperation operation = new WriteOperation(dataBuf, length, blocks, progress.begin(end));
        parts().outputStatistics().countOperation(length);
        growUnlessFits(end, blocks + ahead.batch(end));
        transfer(dataBuf, operation, blocks + ahead.batch(end), headReady);
        askAhead(end);
        return operation;
    }

    @Override
    public final int copy(ByteBuffer bytes) throws IOException {
        inFlight().begin();
        try {
            checkWritable(); // behind the begin: a close either waits for this, and so tells of it, or is seen
            return copyWritable(bytes);
        } finally {
            inFlight().end();
        }
    }

    private int copyWritable(ByteBuffer bytes) {
        long begin = position();
        if (!isNear()) {
            return 0;
        }
        if (mayBeSmall && !fitsOrGrows(bytes.remaining())) {
            return 0;
        }
        if (begin < settings().blockSizeBytes() && !isHeadReady()) {
            return 0;
        }
        if (mapper().cached(settings().blockIndex(begin)) != null) {
            askAhead(begin + 1); // whose answer comes during the copy
        }
        int blocks = blocks(begin, bytes.remaining()) + ahead.batch(begin + bytes.remaining());
        int copied = copyBlocks(bytes, blocks);
        if (copied > 0) {
            progress.end(progress.begin(position()), null);
            parts().outputStatistics().countOperation(copied);
            askAhead(position());
        }
        return copied;
    }

    /**
     * Whether the next bytes fit beside others, or a whole block has been asked for. That is done here for a stream
     * that has written nothing, and for bytes of which the first piece, whoever writes it, does not fit: a smaller
     * piece would not move the node to its block. All else is left to a write.
     */
    private boolean fitsOrGrows(int length) {
        int small = settings().smallBlockBytes();
        if (position() + length <= small) {
            return true;
        }
        LeasedBlock head = mapper().cached(0);
        boolean isWhole = head != null && head.covers(settings().blockSizeBytes()); // the namenode has foreseen it
        boolean mayGrow =
                head != null && position() == 0 && Math.min(runtime().sliceSize(), MappedCopy.MOST_COPY_BYTES) > small;
        if (!isWhole && !mayGrow) {
            return false;
        }
        mayBeSmall = false;
        if (!isWhole) {
            headReady = mapper().growFirst(blocks(0, length) + ahead.batch(length), true)
                    .thenAccept(whole -> {});
            awaitHead();
        }
        return true;
    }

    private void awaitHead() {
        try {
            parts().calls().await("growing " + getFile().getPath(), headReady);
        } catch (IOException e) {
            LOG.trace(
                    "{}: a transfer will tell why there is no whole block",
                    getFile().getPath(),
                    e);
        }
    }

    /** Whether bytes can be written to the first block. */
    private boolean isHeadReady() {
        return headReady.isDone() && !headReady.isCompletedExceptionally();
    }

    private void askAhead(long end) {
        int batch = ahead.batch(end);
        if (batch > 0 && !mayBeSmall) {
            mapper().askAhead(settings().blockIndex(end - 1), ahead.last(end), batch);
        }
    }

    /**
     * What has been written can be read through the same file object, unless others are still told of a part that is
     * too short.
     */
    private void written(long capacity) {
        if (!mapper().hasGrown()) {
            getFile().written(capacity);
        }
    }

    /** Begins to move a small node to a block of its own with the first write that does not fit beside others. */
    private void growUnlessFits(long end, int wantedBlocks) {
        if (mayBeSmall && end > settings().smallBlockBytes()) {
            mayBeSmall = false;
            LeasedBlock head = mapper().cached(0);
            if (head != null && head.covers(settings().blockSizeBytes())) {
                return; // the namenode has foreseen it
            }
            headReady = new HeadGrowth(parts(), getFile(), mapper(), progress).begin((int) position(), wantedBlocks);
        }
    }

    private void checkWritable() throws CrailException {
        checkOpen();
        CrailException failure = failure();
        if (failure != null) {
            throw Waiting.again("writing " + getFile().getPath(), failure);
        }
    }

    /** Why nothing can be written any more; a failed write may be why the node, and so the token, is gone. */
    private CrailException failure() {
        CrailException failed = progress.failure();
        return failed != null ? failed : token.loss();
    }

    @Override
    public final long getWriteHint() {
        return hint;
    }

    /** Sends the capacity when the writes that were begun before have ended; does nothing if there is nothing new. */
    @Override
    public Future<Void> sync() throws IOException {
        checkWritable();
        long target = position();
        if (target != syncedPosition || latestSync.isCompletedExceptionally()) {
            syncedPosition = target;
            latestSync = progress.reached(target).thenCompose(reached -> send(target));
        }
        return latestSync.copy();
    }

    private CompletableFuture<Void> send(long capacity) {
        long sentNs = parts().blocks().nowNs();
        long fd = getFile().getFd();
        SyncRequest request = new SyncRequest(fd, token.value(), capacity, SyncRequest.End.NONE);
        return confirmedBy(parts().router().callForNode(fd, request), request, sentNs);
    }

    /** How this writer ends, whose operations have ended. */
    private SyncRequest.End end() {
        if (progress.failure() != null) {
            return isInDoubt ? SyncRequest.End.DOUBTFUL : SyncRequest.End.FAILED;
        }
        return isUntouched() ? SyncRequest.End.UNTOUCHED : SyncRequest.End.CLOSED;
    }

    /** What is done when the call, which was sent at {@code sentNs}, has been answered. */
    private CompletableFuture<Void> confirmedBy(
            CompletableFuture<SyncResponse> call, SyncRequest request, long sentNs) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        call.whenComplete((response, failure) -> {
            if (failure == null) {
                token.confirm(parts().blocks().expiryNs(sentNs));
                confirmed(request, response);
                done.complete(null);
            } else {
                CrailException typed = Waiting.named("syncing " + getFile().getPath(), failure);
                token.failed(typed);
                done.completeExceptionally(typed);
            }
        });
        return done;
    }

    /**
     * Whether the file's block has never been written to: not here, and by nobody else, as the token is the first one.
     */
    private boolean isUntouched() {
        return getFile().getCapacity() == 0
                && progress.isUntouched()
                && token.value() == getFile().getToken();
    }

    /** Answers may be heard by several threads at the same time, in any order. */
    private synchronized void confirmed(SyncRequest request, SyncResponse response) {
        confirmedCapacity = Math.max(confirmedCapacity, request.capacity());
        if (request.end() == SyncRequest.End.NONE || mapper().hasGrown()) {
            getFile().confirmed(response.capacity(), response.layout());
        } else {
            getFile().closed(response.capacity(), response.layout());
        }
    }

    /** Whether a close has ended: until then, writes may be in flight, and the token is needed. */
    boolean isFinished() {
        return finished;
    }

    /**
     * Called by the timer: keeps the token of a slow writer, also while it closes. Only says what the namenode has been
     * told before.
     */
    void renewTokenIfOlderThan(long ageNs, long nowNs) {
        long confirmedNs = token.confirmedUntilNs() - settings().leaseNs();
        if (!finished && token.loss() == null && nowNs - confirmedNs >= ageNs) {
            send(0);
        }
    }

    @Override
    final void finished() {
        getFile().written(0);
        finished = true;
        runtime().streams().closed(this);
        parts().outputStatistics().countStream(progress.capacity());
    }

    /**
     * Makes what was written without a gap visible, and gives the write token back; if the namenode knows of all that
     * was written, nobody waits for that. Fails if any write failed, the token is known to be lost, or the closing
     * itself fails.
     */
    @Override
    final CompletableFuture<Void> finish(boolean isAwaited, Consumer<PendingCall<?>> onAsked) {
        if (token.loss() != null) {
            return CompletableFuture.failedFuture(failure());
        }
        CrailException failure = progress.failure(); // for good: no write is in flight
        if (!isNews(failure)) {
            giveTokenBack();
            return READY;
        }
        long sentNs = parts().blocks().nowNs();
        long fd = getFile().getFd();
        SyncRequest request = new SyncRequest(fd, token.value(), progress.capacity(), end());
        NamenodeRouter router = parts().router();
        PendingCall<SyncResponse> asked = isAwaited ? router.askForNode(fd, request) : router.callForNode(fd, request);
        onAsked.accept(asked);
        CompletableFuture<Void> confirmed = confirmedBy(asked, request, sentNs);
        return failure == null
                ? confirmed
                : confirmed.handle((done, later) -> {
                    throw new CompletionException(failure);
                });
    }

    /** Whether the namenode has something to learn from the close. That of a value ends its put. */
    private boolean isNews(CrailException failure) {
        boolean isPlaced = confirmedCapacity > 0 || getFile().isPlaced();
        return failure != null
                || progress.capacity() != confirmedCapacity
                || !isPlaced
                || getFile().getType() != CrailNodeType.DATAFILE;
    }

    /** From now on nothing more can be written, for a reason; the close discards a put. */
    void fail(CrailException reason) {
        progress.end(progress.begin(position()), reason);
    }

    /** Tells the namenode, some time soon, that nothing more comes. If that fails, the token expires. */
    private void giveTokenBack() {
        parts().calls().operations().begin();
        long fd = getFile().getFd();
        SyncRequest request = new SyncRequest(fd, token.value(), confirmedCapacity, end());
        parts().router().tellForNode(fd, request).whenComplete((response, failure) -> {
            if (failure == null) {
                confirmed(request, response);
            } else {
                LOG.debug("the write token of {} was not given back", getFile().getPath(), failure);
            }
            parts().calls().operations().end();
        });
    }

    /** A write in flight. */
    private final class WriteOperation extends CoreDataOperation {
        private final CrailBuffer buffer;
        private final WriteProgress.Write write;

        WriteOperation(CrailBuffer buffer, int length, int parts, WriteProgress.Write write) {
            super(parts().outputStatistics(), getFile().getPath(), length, parts, true);
            this.buffer = buffer;
            this.write = write;
        }

        @Override
        protected void ended(CrailException result) {
            runtime().checkOut(buffer);
            if (result != null && hasBegun()) {
                isInDoubt = true;
            }
            progress.end(write, result);
        }

        @Override
        protected void shown() {
            inFlight().end();
        }
    }
}
