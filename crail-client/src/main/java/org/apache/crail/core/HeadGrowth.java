/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.crail.CrailBuffer;
import org.apache.crail.core.block.BlockMapper;
import org.apache.crail.core.block.BlockTransfer;
import org.apache.crail.core.block.CoreDataOperation;
import org.apache.crail.core.block.StoreParts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves a file or value out of the block that it shares with others, when it becomes longer than its part. When nothing
 * is written to the part any more, it asks for a block of its own, and copies what the part holds. Readers find the
 * part until more has been synced. Thread safe.
 */
final class HeadGrowth {
    private static final Logger LOG = LoggerFactory.getLogger(HeadGrowth.class);

    private final StoreParts parts;
    private final CoreFile file;
    private final BlockMapper mapper;
    private final WriteProgress progress;

    HeadGrowth(StoreParts parts, CoreFile file, BlockMapper mapper, WriteProgress progress) {
        this.parts = parts;
        this.file = file;
        this.mapper = mapper;
        this.progress = progress;
    }

    /**
     * Begins; the future completes when bytes from {@code written} on may be written.
     *
     * @param written how much the part holds when all writes that were begun before have ended
     * @param wantedBlocks how many blocks to ask for at once
     */
    CompletableFuture<Void> begin(int written, int wantedBlocks) {
        return mapper.locate(0, wantedBlocks)
                .thenCompose(first -> first.covers(parts.settings().blockSizeBytes())
                        ? CoreStream.READY
                        : grow(written, wantedBlocks));
    }

    private CompletableFuture<Void> grow(int written, int wantedBlocks) {
        return progress.reached(written)
                .thenCompose(reached -> mapper.growFirst(wantedBlocks, false))
                .thenCompose(whole -> copy(new BlockMapper(parts, file.getFd(), null, file.blocks()), 0, written));
    }

    /** Copies the bytes from one position to another, a buffer at a time. */
    private CompletableFuture<Void> copy(BlockMapper part, int from, int end) {
        if (from == end) {
            return CoreStream.READY;
        }
        CrailBuffer buffer;
        try {
            buffer = parts.buffers().allocateBuffer();
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
        int length = Math.min(buffer.capacity(), end - from);
        CrailBuffer piece = buffer.limit(length).slice();
        return transfer(part, piece, from, false)
                .thenCompose(read -> transfer(mapper, piece, from, true))
                .whenComplete((done, failure) -> give(buffer))
                .thenCompose(done -> copy(part, from + length, end));
    }

    private CompletableFuture<?> transfer(BlockMapper blocks, CrailBuffer piece, long position, boolean isWrite) {
        CoreDataOperation operation =
                new CoreDataOperation(parts.statistics(isWrite), file.getPath(), piece.capacity(), 1, isWrite);
        new BlockTransfer(parts, blocks, operation, piece, position).begin(1);
        return operation;
    }

    private void give(CrailBuffer buffer) {
        try {
            parts.buffers().freeBuffer(buffer);
        } catch (IOException e) {
            LOG.error("cannot give a buffer back", e);
        }
    }
}
