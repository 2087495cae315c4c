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
 * as a call and a transfer may take. A write that does not reach a block, in which nothing has been written, goes to
 * one of another datanode within the same time. Reports to its operation exactly once, when no transfer uses the buffer
 * any more. One thread at a time works on it, which thread may change.
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
    private long attemptNs;
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
            locateAgain(); // the node was small when the location was confirmed
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
            onNotLocated(typed(failure));
        } else if (!covers(found)) {
            fail(new PositionOutOfRangeException(what() + ": its block has "
                    + (found.block.getLength() - found.block.start()) + " bytes; look the node up again"));
        } else {
            transfer(found);
        }
    }

    /** The datanode of a block that was asked for ahead of time may be lost by now. */
    private void onNotLocated(CrailException failure) {
        boolean isLost = operation.isWrite() && failure.code() == ErrorCode.DATANODE_LOST;
        LeasedBlock known = isLost && attempts == 0 ? mapper.latest(index()) : null;
        if (known == null) {
            fail(failure);
        } else {
            attempts++;
            aim(known);
            onFailed(failure);
        }
    }

    private void aim(LeasedBlock target) {
        attemptNs = Surroundings.nanoTime();
        if (location == null) { // it may have waited for the block
            lastAttemptNs = attemptNs + parts.settings().operationTimeoutMs() * 1_000_000L;
        }
        location = target;
    }

    private void transfer(LeasedBlock target) {
        aim(target);
        boolean isAvoided =
                operation.isWrite() && parts.endpoints().unreachable().contains(target.block.getDnInfo());
        CompletableFuture<LeasedBlock> other = isAvoided ? mapper.goAround(target) : null;
        if (other == null) {
            begin(target);
        } else {
            other.whenComplete((found, failure) -> {
                if (failure != null) {
                    begin(target);
                } else if (mapper.isValid(found)) {
                    begin(found);
                } else {
                    locateAgain();
                }
            });
        }
    }

    private void begin(LeasedBlock target) {
        location = target;
        buffer.clear();
        try {
            StorageEndpoint endpoint = parts.endpoints().endpoint(target);
            long offset = offsetInBlock() + target.block.start();
            CompletableFuture<Integer> transferred = operation.isWrite()
                    ? endpoint.write(buffer, target.block, offset)
                    : endpoint.read(buffer, target.block, offset);
            int storageClass = target.block.getDnInfo().getStorageClass();
            parts.transfers().count(operation.isWrite(), storageClass, buffer.capacity());
            operation.statistics().countTransfer(endpoint.isLocal());
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
        } else if (operation.isWrite() && !mapper.wrote(location)) {
            writeElsewhere();
        } else if (mapper.isValid(location)) {
            operation.partDone(null);
        } else {
            mapper.confirm(index()).whenComplete(this::onConfirmed);
        }
    }

    /** What was moved does not count, as another transfer has given the block up meanwhile. */
    private void writeElsewhere() {
        attempts++;
        CompletableFuture<LeasedBlock> other = mapper.goAround(location);
        if (isOverdue()) {
            failOverdue();
        } else if (other == null) {
            locateAgain(); // it has been kept since
        } else {
            other.whenComplete((found, failure) -> {
                if (failure != null) {
                    fail(typed(failure));
                } else {
                    moveTo(found);
                }
            });
        }
    }

    /** Transfers to a block that others may have learnt of some time ago. */
    private void moveTo(LeasedBlock found) {
        if (mapper.isValid(found)) {
            transfer(found);
        } else {
            locateAgain();
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
            failOverdue();
        } else {
            transfer(found);
        }
    }

    private void failOverdue() {
        fail(ErrorCode.TIMEOUT.exception(what() + " did not succeed in " + attempts
                + " attempts: its block kept changing; raise crail.datatimeout or crail.tokenexpiration"));
    }

    private void onFailed(CrailException failure) {
        mapper.forget(location);
        CompletableFuture<LeasedBlock> other = null;
        if (isGoneAround(failure) && !isOverdue()) {
            parts.endpoints().unreachable().failed(location.block.getDnInfo(), attemptNs);
            other = mapper.goAround(location);
        }
        if (other == null) {
            tryAgain(failure);
        } else {
            other.whenComplete((found, notFound) -> onOther(found, notFound, failure));
        }
    }

    /** Whether a block of another datanode may help. */
    private boolean isGoneAround(CrailException failure) {
        return operation.isWrite()
                && switch (failure.code()) {
                    case DATANODE_UNREACHABLE, DATANODE_LOST, STORAGE_FAILURE, TIMEOUT -> true;
                    default -> false;
                };
    }

    private void onOther(LeasedBlock found, Throwable notFound, CrailException failure) {
        if (notFound != null) {
            failure.addSuppressed(notFound);
            fail(failure);
        } else if (found.isSameAs(location)) {
            tryAgain(failure);
        } else {
            moveTo(found);
        }
    }

    private void tryAgain(CrailException failure) {
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
        return Waiting.named(what(), failure);
    }

    private String what() {
        return (operation.isWrite() ? "writing " : "reading ") + buffer.capacity() + " bytes at " + position + " of "
                + operation.path();
    }
}
