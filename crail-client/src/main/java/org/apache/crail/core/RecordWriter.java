/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.FileInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes directory records into the data of containers, without waiting. Thread safe. */
final class RecordWriter {
    private static final Logger LOG = LoggerFactory.getLogger(RecordWriter.class);

    private final StoreRuntime runtime;
    private final RecordBuffers buffers;
    private final InFlight inFlight = new InFlight();

    RecordWriter(StoreRuntime runtime) {
        this.runtime = runtime;
        this.buffers = new RecordBuffers(runtime.buffers(), runtime.settings().recordSizeBytes());
    }

    /** Completes when no record is being written. */
    CompletableFuture<Void> idle() {
        return inFlight.idle();
    }

    /**
     * Writes the record of a node that has just got its slot.
     *
     * @param recordBlock the block of the parent that holds the slot; null if the node is not enumerable
     * @param sentNs when the request was sent that told the block
     * @return null if there is nothing to write
     */
    CompletableFuture<?> write(CrailPath path, FileInfo node, long parentFd, BlockInfo recordBlock, long sentNs) {
        if (recordBlock == null) {
            return null;
        }
        long index = runtime.settings().blockIndex(position(node.slot()));
        LeasedBlock location =
                new LeasedBlock(index, recordBlock, runtime.blocks().expiryNs(sentNs));
        DirectoryRecord record = new DirectoryRecord("", path.name(), node.getFd(), parentFd, true);
        return write(path, parentFd, node.slot(), record, location);
    }

    /** Writes the record of the node at {@code path} into a slot of a container. */
    CompletableFuture<?> write(CrailPath path, long container, int slot, DirectoryRecord record, LeasedBlock location) {
        RecordBuffers.Piece piece;
        try {
            piece = buffers.take();
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
        record.encode(piece.buffer().getByteBuffer());
        RecordOperation operation = new RecordOperation(path, piece);
        inFlight.begin();
        BlockMapper mapper = new BlockMapper(runtime, container, null);
        new BlockTransfer(runtime, mapper, operation, piece.buffer(), position(slot)).begin(location);
        return operation;
    }

    private long position(int slot) {
        return (long) slot * runtime.settings().recordSizeBytes();
    }

    /** The write of one record. */
    private final class RecordOperation extends CoreDataOperation {
        private final RecordBuffers.Piece piece;

        RecordOperation(CrailPath path, RecordBuffers.Piece piece) {
            super(runtime, path, piece.buffer().capacity(), 1, true, true);
            this.piece = piece;
        }

        @Override
        void ended(CrailException result) {
            try {
                buffers.give(piece);
            } catch (IOException e) {
                LOG.error("cannot give a buffer back", e);
            } finally {
                inFlight.end();
            }
        }
    }
}
