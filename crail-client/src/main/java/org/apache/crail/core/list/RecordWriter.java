/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.list;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailPath;
import org.apache.crail.core.block.BlockMapper;
import org.apache.crail.core.block.BlockTransfer;
import org.apache.crail.core.block.CoreDataOperation;
import org.apache.crail.core.block.LeasedBlock;
import org.apache.crail.core.block.StoreParts;
import org.apache.crail.core.call.InFlight;
import org.apache.crail.error.BufferExhaustedException;
import org.apache.crail.error.CrailException;
import org.apache.crail.internal.BackgroundThreads;
import org.apache.crail.internal.SharedTimer;
import org.apache.crail.rpc.message.RecordPlace;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes directory records into the data of containers, those of neighbouring slots together, without waiting. Lists
 * show a child whose record is still on its way, or could not be written: it costs them a request more. Thread safe.
 */
public final class RecordWriter {
    private static final Logger LOG = LoggerFactory.getLogger(RecordWriter.class);

    /** How long the first record of a batch waits for others. */
    private static final long COLLECT_MS = 1;

    private static final int RECORDS_PER_BATCH = 32;

    /**
     * As many batches as may be collected or in flight, which bounds the memory that they take; further records are not
     * written.
     */
    private static final int MOST_BATCHES = 512;

    private final StoreParts parts;
    private final int recordSizeBytes;
    private final RecordBuffers buffers;
    private final InFlight inFlight = new InFlight();

    /** The batches that are being collected, by container; guards itself and them. */
    private final Map<Long, RecordBatch> collected = new HashMap<>();

    public RecordWriter(StoreParts parts) {
        this.parts = parts;
        this.recordSizeBytes = parts.settings().recordSizeBytes();
        int pieceBytes =
                Math.min(RECORDS_PER_BATCH * recordSizeBytes, parts.buffers().bufferSize());
        this.buffers = new RecordBuffers(parts.buffers(), pieceBytes);
    }

    /** Sends what has been collected; completes when no record is being written. */
    public CompletableFuture<Void> idle() {
        sendCollected();
        return inFlight.idle();
    }

    /**
     * Writes the record of a node that has just got its slot.
     *
     * @param place where; null if the node is not enumerable, or has no place yet
     * @param sentNs when the request was sent that told the place
     */
    public void write(CrailPath path, long fd, RecordPlace place, long sentNs) {
        if (place != null && place.block() != null) {
            long index = parts.settings().blockIndex(position(place.slot()));
            LeasedBlock location =
                    new LeasedBlock(index, place.block(), parts.blocks().expiryNs(sentNs));
            ChildRecord record = new ChildRecord("", path.name(), fd, place.parentFd(), true);
            CompletableFuture<Void> ignored = write(path, place.parentFd(), place.slot(), record, location);
        }
    }

    /** Writes the record of the node at {@code path} into a slot of a container. */
    public CompletableFuture<Void> write(
            CrailPath path, long container, int slot, ChildRecord record, LeasedBlock location) {
        RecordBatch batch;
        RecordBatch ready = null;
        synchronized (collected) {
            batch = collected.get(container);
            if (batch == null || !batch.takes(slot, location)) {
                ready = batch;
                try {
                    batch = begin(path, container, slot, location);
                } catch (IOException e) {
                    LOG.debug("no record of {} is written", path, e);
                    return CompletableFuture.failedFuture(e);
                }
                if (collected.isEmpty()) {
                    SharedTimer.after(
                            COLLECT_MS,
                            () -> BackgroundThreads.runElsewhere(BackgroundThreads.executor(), this::sendCollected));
                }
                collected.put(container, batch);
            }
            batch.put(slot, record);
        }
        if (ready != null) {
            send(ready);
        }
        return batch.ended();
    }

    private RecordBatch begin(CrailPath path, long container, int slot, LeasedBlock location) throws IOException {
        if (inFlight.count() >= MOST_BATCHES) {
            throw new BufferExhaustedException(MOST_BATCHES
                    + " transfers of directory records are in flight; the datanodes are too slow for them");
        }
        RecordBatch batch = new RecordBatch(path, container, location, slot, buffers.take(), recordSizeBytes);
        inFlight.begin();
        return batch;
    }

    private void sendCollected() {
        List<RecordBatch> ready;
        synchronized (collected) {
            ready = List.copyOf(collected.values());
            collected.clear();
        }
        ready.forEach(this::send);
    }

    private void send(RecordBatch batch) {
        CrailBuffer bytes = batch.bytes();
        BatchOperation operation = new BatchOperation(batch, bytes);
        BlockMapper mapper = new BlockMapper(parts, batch.container());
        new BlockTransfer(parts, mapper, operation, bytes, position(batch.firstSlot())).begin(batch.location());
        operation.leave();
    }

    private long position(int slot) {
        return (long) slot * recordSizeBytes;
    }

    /** The write of a batch. */
    private final class BatchOperation extends CoreDataOperation {
        private final RecordBatch batch;

        BatchOperation(RecordBatch batch, CrailBuffer bytes) {
            super(parts.outputStatistics(), batch.path(), bytes.capacity(), 1, true, true);
            this.batch = batch;
        }

        @Override
        protected void ended(CrailException result) {
            try {
                buffers.give(batch.piece());
            } catch (IOException e) {
                LOG.error("cannot give a buffer back", e);
            }
            if (result == null) {
                batch.ended().complete(null);
            } else {
                LOG.debug("lists ask the namenode for what the record of {} would tell", batch.path(), result);
                batch.ended().completeExceptionally(result);
            }
            inFlight.end();
        }
    }
}
