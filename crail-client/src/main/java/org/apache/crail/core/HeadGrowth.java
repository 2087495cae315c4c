/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.apache.crail.CrailBuffer;
import org.apache.crail.memory.OffHeapBuffer;

/**
 * Moves a value out of the block that it shares with others, when it becomes longer than its part: asks for a block of its
 * own and copies what has been written. Readers find the part until more has been synced. Thread safe.
 */
final class HeadGrowth {
    private final StoreRuntime runtime;
    private final CoreFile file;
    private final BlockMapper mapper;
    private final WriteProgress progress;

    HeadGrowth(StoreRuntime runtime, CoreFile file, BlockMapper mapper, WriteProgress progress) {
        this.runtime = runtime;
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
        return mapper.locate(0, 1)
                .thenCompose(first -> first.covers(runtime.settings().blockSizeBytes())
                        ? CompletableFuture.completedFuture(null)
                        : grow(written, wantedBlocks));
    }

    private CompletableFuture<Void> grow(int written, int wantedBlocks) {
        return mapper.growFirst(wantedBlocks)
                .thenCombine(progress.reached(written), (whole, reached) -> whole)
                .thenCompose(whole -> written == 0 ? CompletableFuture.completedFuture(null) : copy(written));
    }

    private CompletableFuture<Void> copy(int bytes) {
        CrailBuffer buffer;
        try {
            buffer = OffHeapBuffer.wrap(ByteBuffer.allocateDirect(bytes));
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
        BlockMapper reader = new BlockMapper(runtime, file.getFd(), null);
        return transfer(reader, buffer, false)
                .thenCompose(read -> transfer(mapper, buffer, true))
                .thenApply(written -> null);
    }

    private CompletableFuture<?> transfer(BlockMapper from, CrailBuffer buffer, boolean isWrite) {
        CoreDataOperation operation =
                new CoreDataOperation(runtime, file.getPath(), buffer.capacity(), 1, isWrite, false);
        new BlockTransfer(runtime, from, operation, buffer, 0).begin(1);
        return operation;
    }
}
