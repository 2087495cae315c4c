/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.list;

import java.util.concurrent.CompletableFuture;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailPath;
import org.apache.crail.core.block.LeasedBlock;

/**
 * Directory records in neighbouring slots of a block, to be written with one transfer. Guarded by its writer's lock
 * until one thread has taken it out to send it; what {@link #ended} gives is thread safe.
 */
final class RecordBatch {
    private final CrailPath path;
    private final long container;
    private final LeasedBlock location;
    private final int firstSlot;
    private final RecordBuffers.Piece piece;
    private final int recordSizeBytes;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private int count;

    /**
     * Makes an empty one.
     *
     * @param path of the node whose record comes first, for messages
     * @param location the block of all slots
     */
    RecordBatch(
            CrailPath path,
            long container,
            LeasedBlock location,
            int firstSlot,
            RecordBuffers.Piece piece,
            int recordSizeBytes) {
        this.path = path;
        this.container = container;
        this.location = location;
        this.firstSlot = firstSlot;
        this.piece = piece;
        this.recordSizeBytes = recordSizeBytes;
    }

    CrailPath path() {
        return path;
    }

    long container() {
        return container;
    }

    LeasedBlock location() {
        return location;
    }

    int firstSlot() {
        return firstSlot;
    }

    RecordBuffers.Piece piece() {
        return piece;
    }

    /** Completes when the transfer has ended, with its failure if it failed. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    /** Whether a slot is one of the batch, or the one behind them and there is room for it. */
    boolean takes(int slot, LeasedBlock block) {
        int index = slot - firstSlot;
        return block.isSameAs(location)
                && index >= 0
                && index <= count
                && (index + 1) * recordSizeBytes <= piece.buffer().capacity();
    }

    /** Puts the record of a slot that {@link #takes} admits, in the place of a former one. */
    void put(int slot, ChildRecord record) {
        int index = slot - firstSlot;
        CrailBuffer bytes = piece.buffer().clear();
        bytes.position(index * recordSizeBytes).limit((index + 1) * recordSizeBytes);
        record.encode(bytes.getByteBuffer());
        count = Math.max(count, index + 1);
    }

    /** What is to be written to {@link #firstSlot} and behind it. */
    CrailBuffer bytes() {
        return piece.buffer().clear().limit(count * recordSizeBytes).slice();
    }
}
