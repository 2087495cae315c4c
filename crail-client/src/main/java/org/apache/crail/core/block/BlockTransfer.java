/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.block;

import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.apache.crail.CrailBuffer;
import org.apache.crail.core.call.Waiting;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.error.InternalErrorException;
import org.apache.crail.error.PositionOutOfRangeException;
import org.apache.crail.error.StorageFailureException;
import org.apache.crail.internal.SharedTimer;
import org.apache.crail.internal.Surroundings;
import org.apache.crail.storage.StorageEndpoint;

/**
 * Moves the bytes of one buffer to or from one block: finds the block, transfers, and makes sure afterwards that the
 * block still belonged to the node. If the location was out of date, asks the namenode and transfers again, for as long
 * as a call and a transfer may take. Reports to its operation exactly once, when no transfer uses the buffer any more.
 * One thread at a time works on it, which thread may change.
 */
public final class BlockTransfer implements BiConsumer<Integer, Throwable> {
    private static final long FIRST_PAUSE_MS = 5;
    private static final int MAX_DOUBLINGS = 6;

    private final StoreParts parts;
    private final BlockMapper mapper;
    private final CoreDataOperation operation;
    private final CrailBuffer buffer;
    private final long position;
    private LeasedBlock location;
    private long lastAttemptNs;
    private int attempts;

    /**
     * Prepares a transfer.
     *
     * @param buffer all of it is transferred; a slice that nobody else moves
     * @param position the first byte within the node; the bytes do not leave its block
     */
    public BlockTransfer(
            StoreParts parts, BlockMapper mapper, CoreDataOperation operation, CrailBuffer buffer, long position) {
        this.parts = parts;
        this.mapper = mapper;
        this.operation = operation;
        this.buffer = buffer;
        this.position = position;
    }

    /**
     * Begins.
     *
     * @param wantedBlocks how many blocks to ask for if this one is not known
     */
    public void begin(int wantedBlocks) {
        LeasedBlock known = mapper.cached(index());
        operation.statistics().countLocation(known != null);
        if (known != null && covers(known)) {
            transfer(known);
        } else if (known != null) {
            locateAgain(); // the value was small when the location was confirmed
        } else {
            mapper.locate(index(), wantedBlocks).whenComplete(this::onLocated);
        }
    }

    /** Begins, or fails with the reason why it cannot begin, which is null if it can. */
    public void beginUnless(Throwable failure, int wantedBlocks) {
        if (failure == null) {
            begin(wantedBlocks);
        } else {
            fail(typed(failure));
        }
    }

    /** Begins with a location that has been confirmed; asks again if that was too long ago. */
    public void begin(LeasedBlock known) {
        if (mapper.isValid(known) && covers(known)) {
            transfer(known);
        } else {
            locateAgain();
        }
    }

    private long index() {
        return parts.settings().blockIndex(position);
    }

    private boolean covers(LeasedBlock target) {
        return target.covers(offsetInBlock() + buffer.capacity());
    }

    private long offsetInBlock() {
        return position % parts.settings().blockSizeBytes();
    }

    private void onLocated(LeasedBlock found, Throwable failure) {
        if (failure != null) {
            fail(typed(failure));
        } else if (!covers(found)) {
            fail(new PositionOutOfRangeException(what() + ": its block has "
                    + (found.block.getLength() - found.block.start()) + " bytes; look the node up again"));
        } else {
            transfer(found);
        }
    }

    private void transfer(LeasedBlock target) {
        if (location == null) { // it may have waited for the block
            lastAttemptNs = Surroundings.nanoTime() + parts.settings().operationTimeoutMs() * 1_000_000L;
        }
        location = target;
        buffer.clear();
        try {
            StorageEndpoint endpoint = parts.endpoints().endpoint(target);
            long offset = offsetInBlock() + target.block.start();
            CompletableFuture<Integer> transferred;
            if (!operation.isWrite()) {
                transferred = endpoint.read(buffer, target.block, offset);
            } else if (operation.isDirectory()) {
                transferred = endpoint.writeUnawaited(buffer, target.block, offset);
            } else {
                transferred = endpoint.write(buffer, target.block, offset);
            }
            int storageClass = target.block.getDnInfo().getStorageClass();
            parts.transfers().count(operation.isWrite(), operation.isDirectory(), storageClass, buffer.capacity());
            operation.statistics().countTransfer(endpoint.isLocal(), operation.isDirectory());
            operation.began(transferred);
            transferred.whenComplete(this);
        } catch (CrailException e) {
            fail(e);
        } catch (RuntimeException | Error e) {
            // Neither a defect of a tier nor a lack of memory must leave the caller waiting for ever.
            fail(new InternalErrorException(what() + " failed: " + e, e));
        }
    }

    @Override
    public void accept(Integer bytes, Throwable failure) {
        if (failure != null) {
            onFailed(typed(failure));
        } else if (bytes != buffer.capacity()) {
            fail(new StorageFailureException(
                    what() + " moved " + bytes + " of " + buffer.capacity() + " bytes; see the log of the datanode"));
        } else if (mapper.isValid(location)) {
            operation.partDone(null);
        } else {
            mapper.confirm(index()).whenComplete(this::onConfirmed);
        }
    }

    /** The lease ended during the transfer. What was moved counts if the allocation of the block is still the same. */
    private void onConfirmed(LeasedBlock found, Throwable failure) {
        if (failure != null) {
            fail(typed(failure));
        } else if (found.block.equals(location.block)) {
            operation.partDone(null);
        } else {
            retry(found);
        }
    }

    private void retry(LeasedBlock found) {
        attempts++;
        if (isOverdue()) {
            fail(ErrorCode.TIMEOUT.exception(what() + " did not succeed in " + attempts
                    + " attempts: its block kept changing; raise crail.datatimeout or crail.tokenexpiration"));
        } else {
            transfer(found);
        }
    }

    private void onFailed(CrailException failure) {
        mapper.forget(location);
        boolean stale = failure.code() == ErrorCode.STALE_BLOCK;
        boolean disconnected = failure.code() == ErrorCode.DATANODE_UNREACHABLE && attempts == 0;
        if ((stale || disconnected) && !isOverdue()) {
            attempts++;
            if (attempts == 1) {
                locateAgain();
            } else {
                long pauseMs = FIRST_PAUSE_MS << Math.min(attempts, MAX_DOUBLINGS);
                SharedTimer.after(pauseMs, this::locateAgain);
            }
        } else {
            fail(failure);
        }
    }

    private boolean isOverdue() {
        return Surroundings.nanoTime() - lastAttemptNs > 0;
    }

    private void locateAgain() {
        mapper.confirm(index()).whenComplete(this::onLocated);
    }

    private void fail(CrailException failure) {
        operation.partDone(failure);
    }

    private CrailException typed(Throwable failure) {
        return Waiting.typed(what(), failure);
    }

    private String what() {
        return (operation.isWrite() ? "writing " : "reading ")
                + (operation.isDirectory() ? "directory records, " : "")
                + buffer.capacity() + " bytes at " + position + " of " + operation.path();
    }
}
