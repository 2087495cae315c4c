/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.CrailResult;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.core.block.LeasedBlock;
import org.apache.crail.core.block.MappedCopy;
import org.apache.crail.core.call.InFlight;
import org.apache.crail.core.call.MetadataCalls;
import org.apache.crail.core.call.Waiting;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.error.PositionOutOfRangeException;
import org.apache.crail.memory.OffHeapBuffer;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.rpc.client.PendingCall;
import org.apache.crail.rpc.message.CreateRequest;
import org.apache.crail.rpc.message.CreateResponse;
import org.apache.crail.rpc.message.LookupRequest;
import org.apache.crail.rpc.message.LookupResponse;
import org.apache.crail.rpc.message.RemoveRequest;
import org.apache.crail.rpc.message.RemoveResponse;
import org.apache.crail.rpc.message.SyncRequest;
import org.apache.crail.rpc.message.SyncResponse;

/**
 * Stores and fetches values by one call each, see {@link org.apache.crail.CrailTable}. Thread safe; no method waits but
 * for room.
 */
final class ValueCalls {
    private final CoreDataStore store;
    private final ValueMemory memory;
    private final CallBound bound = new CallBound();
    private final InFlight inFlight = new InFlight();
    private volatile boolean stopped;

    ValueCalls(CoreDataStore store) {
        this.store = store;
        this.memory = new ValueMemory(store.getBufferCache());
    }

    MetadataCalls metadata() {
        return store.calls();
    }

    /** What those in flight keep to. */
    CallBound bound() {
        return bound;
    }

    private <T> CompletableFuture<T> begin(
            String deed, CrailPath path, long size, Function<ValueCall<T>, CompletableFuture<T>> attempt) {
        ValueCall<T> call = new ValueCall<>(this, deed, path, size, attempt);
        CompletableFuture<Void> room = null;
        inFlight.begin();
        try {
            if (!stopped) { // behind the begin: a stop either waits for this, or is seen
                room = bound.enter(size);
            }
        } finally {
            if (room == null) {
                inFlight.end();
            }
        }
        return room != null
                ? call.begin(room)
                : CompletableFuture.failedFuture(
                        new ClosedException(call + ": the store has been closed; open another one"));
    }

    /** A call has ended. */
    void ended() {
        inFlight.end();
    }

    /** Refuses further calls; completes when those in flight have ended. */
    CompletableFuture<Void> stop() {
        stopped = true;
        return inFlight.idle();
    }

    /** Stores a value, which is not to be changed meanwhile. */
    CompletableFuture<Void> put(CrailPath path, ByteBuffer value, long timeToLiveMs) {
        ByteBuffer bytes = value.slice(); // the same ones for each attempt
        return begin("putting", path, bytes.remaining(), call -> putOnce(call, path, bytes.clear(), timeToLiveMs));
    }

    private CompletableFuture<Void> putOnce(ValueCall<Void> call, CrailPath path, ByteBuffer bytes, long timeToLiveMs) {
        CreateRequest request = new CreateRequest(
                path,
                CrailNodeType.KEYVALUE,
                CrailStorageClass.PARENT.value(),
                CrailLocationClass.PARENT.value(),
                true,
                false,
                null,
                timeToLiveMs);
        ValueAnswer<CreateResponse> created = new ValueAnswer<>(store, "creating", path, false);
        PendingCall<CreateResponse> asked = store.calls().router().askForPath(path, request);
        call.follows(asked);
        created.follow(asked);
        return created.thenCompose(answer -> {
            FileInfo node = answer.file();
            LeasedBlock near = near(bytes.remaining(), answer.firstBlock(), created);
            if (near != null && MappedCopy.copyValue(store.parts(), true, bytes, near)) {
                return close(call, path, node, bytes.remaining());
            }
            store.parts().blocks().seed(node, answer.firstBlock(), created.sentNs());
            CoreFile file = new CoreFile(store, node, path.toString(), created.sentNs(), answer.isPlaced());
            return write(call, file, bytes);
        });
    }

    /** The block of a value that can be copied at once; null if it needs a stream. */
    private LeasedBlock near(int length, BlockInfo block, ValueAnswer<?> answer) {
        return length == 0 ? null : MappedCopy.ofValue(store.parts(), length, block, answer.expiryNs());
    }

    /** Shows a value that has been copied to its block. */
    private CompletableFuture<Void> close(ValueCall<Void> call, CrailPath path, FileInfo node, int length) {
        SyncRequest request = new SyncRequest(node.getFd(), node.getToken(), length, SyncRequest.End.CLOSED);
        PendingCall<SyncResponse> asked = store.calls().router().callForNode(node.getFd(), request);
        call.follows(asked);
        return asked.handle((answer, failure) -> {
            if (failure != null) {
                throw new CompletionException(Waiting.named("syncing " + path, failure));
            }
            return null;
        });
    }

    private CompletableFuture<Void> write(ValueCall<Void> call, CoreFile node, ByteBuffer bytes) {
        CoreOutputStream stream;
        try {
            stream = node.openCreated(bytes.remaining());
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
        try {
            write(stream, bytes);
        } catch (Exception | Error e) { // the close must discard what has been written
            stream.fail(Waiting.typed("putting " + node.getPath(), e));
        }
        return stream.closeAsync(call::follows);
    }

    private void write(CoreOutputStream stream, ByteBuffer bytes) throws Exception {
        if (bytes.hasRemaining() && bytes.isDirect()) {
            stream.write(OffHeapBuffer.wrap(bytes.slice()));
            return;
        }
        while (bytes.hasRemaining()) {
            writePiece(stream, bytes);
        }
    }

    private void writePiece(CoreOutputStream stream, ByteBuffer bytes) throws Exception {
        ValueMemory.Piece piece = memory.take(bytes.remaining());
        CompletableFuture<CrailResult> written = null;
        try {
            int length = piece.buffer().remaining();
            piece.buffer().put(bytes.slice(bytes.position(), length)).flip();
            bytes.position(bytes.position() + length);
            written = (CompletableFuture<CrailResult>) stream.write(piece.buffer());
        } finally {
            if (written == null) {
                piece.giveBack();
            }
        }
        CompletableFuture<?> ignored = written.whenComplete((done, failure) -> piece.giveBack());
    }

    /** Fetches a value as an array; null if there is none. */
    CompletableFuture<byte[]> get(CrailPath path) {
        byte[][] value = new byte[1][];
        return begin("getting", path, 0, call -> getOnce(call, path, length -> {
                    value[0] = new byte[length];
                    return ByteBuffer.wrap(value[0]);
                })
                .thenApply(length -> length == null ? null : value[0]));
    }

    /** Fetches a value into memory of the caller, whose position is then behind it; null if there is none. */
    CompletableFuture<Integer> get(CrailPath path, ByteBuffer target) {
        return begin("getting", path, 0, call -> getOnce(call, path, length -> part(path, target, length))
                .thenApply(length -> length == null ? null : passed(target, length)));
    }

    private static int passed(ByteBuffer target, int length) {
        target.position(target.position() + length);
        return length;
    }

    private static ByteBuffer part(CrailPath path, ByteBuffer target, int length) throws CrailException {
        if (target.isReadOnly()) {
            throw new InvalidRequestException(
                    "cannot get " + path + ": the buffer is read-only; use one that can be filled");
        }
        if (length > target.remaining()) {
            throw new PositionOutOfRangeException("cannot get " + path + ": it has " + length
                    + " bytes, and the buffer has room for " + target.remaining() + "; use a larger one");
        }
        return target.slice(target.position(), length);
    }

    /** Gives the memory that is to be filled with so many bytes. */
    private interface Target {
        ByteBuffer of(int length) throws CrailException;
    }

    /** Looks a value up and reads it; gives its length, or null if there is none. */
    private CompletableFuture<Integer> getOnce(ValueCall<?> call, CrailPath path, Target target) {
        ValueAnswer<LookupResponse> found = new ValueAnswer<>(store, "looking up", path, true);
        PendingCall<LookupResponse> asked = store.calls().router().askForPath(path, new LookupRequest(path, false));
        call.follows(asked);
        found.follow(asked);
        return found.thenCompose(answer -> {
            try {
                return answer == null
                        ? CompletableFuture.completedFuture(null)
                        : read(call, path, found, answer, target);
            } catch (Exception e) {
                return CompletableFuture.failedFuture(e);
            }
        });
    }

    /** Copies what lies here, which holds no memory for longer; else transfers it, when there is room for it. */
    private CompletableFuture<Integer> read(
            ValueCall<?> call, CrailPath path, ValueAnswer<?> found, LookupResponse answer, Target target)
            throws Exception {
        FileInfo info = answer.file();
        if (info.getType().isContainer()) {
            throw CoreNode.create(store, info, path.toString(), 0).mismatch("DATAFILE");
        }
        int length = length(path, info.getCapacity());
        if (length == 0) {
            return CompletableFuture.completedFuture(target.of(0).capacity());
        }
        LeasedBlock near = near(length, answer.firstBlock(), found);
        if (near != null && MappedCopy.copyValue(store.parts(), false, target.of(length), near)) {
            return CompletableFuture.completedFuture(length);
        }
        store.parts().blocks().seed(info, answer.firstBlock(), found.sentNs());
        CoreFile file = new CoreFile(store, info, path.toString(), found.sentNs(), true);
        CoreInputStream stream = (CoreInputStream) file.getDirectInputStream(length);
        return call.hold(length)
                .thenCompose(room -> transfer(stream, target, length))
                .whenComplete((done, failure) -> {
                    CompletableFuture<?> ignored = stream.closeAsync();
                })
                .thenApply(done -> length);
    }

    private static int length(CrailPath path, long capacity) throws PositionOutOfRangeException {
        if (capacity > Integer.MAX_VALUE) {
            throw new PositionOutOfRangeException("cannot get " + path + " by one call: it has " + capacity
                    + " bytes, at most " + Integer.MAX_VALUE + " are possible; use a stream");
        }
        return (int) capacity;
    }

    private CompletableFuture<?> transfer(CoreInputStream stream, Target target, int length) {
        try {
            ByteBuffer bytes = target.of(length);
            return bytes.isDirect() ? read(stream, OffHeapBuffer.wrap(bytes)) : readPieces(stream, bytes);
        } catch (Exception e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static CompletableFuture<CrailResult> read(CoreInputStream stream, CrailBuffer buffer) throws Exception {
        return (CompletableFuture<CrailResult>) stream.read(buffer);
    }

    /** Memory on the heap is filled a piece at a time. */
    private CompletableFuture<?> readPieces(CoreInputStream stream, ByteBuffer bytes) {
        if (!bytes.hasRemaining()) {
            return CoreStream.READY;
        }
        try {
            return readPiece(stream, bytes).thenCompose(done -> readPieces(stream, bytes));
        } catch (Exception e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletableFuture<?> readPiece(CoreInputStream stream, ByteBuffer bytes) throws Exception {
        ValueMemory.Piece piece = memory.take(bytes.remaining());
        CompletableFuture<CrailResult> read = null;
        try {
            read = read(stream, piece.buffer());
        } finally {
            if (read == null) {
                piece.giveBack();
            }
        }
        return read.thenAccept(all -> bytes.put(piece.buffer().flip().getByteBuffer()))
                .whenComplete((done, failure) -> piece.giveBack()); // before anybody learns of it
    }

    /** Deletes a value; tells whether there was one. */
    CompletableFuture<Boolean> delete(CrailPath path) {
        return begin("deleting", path, 0, call -> {
            DeleteOperation deleted = new DeleteOperation(store, path.toString());
            PendingCall<RemoveResponse> asked = store.calls().router().askForPath(path, new RemoveRequest(path, false));
            call.follows(asked);
            deleted.follow(asked);
            return deleted.thenApply(node -> node != null);
        });
    }
}
