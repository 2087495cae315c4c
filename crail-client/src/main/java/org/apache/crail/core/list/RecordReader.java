/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.list;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.crail.CrailBuffer;
import org.apache.crail.core.block.BlockMapper;
import org.apache.crail.core.block.BlockTransfer;
import org.apache.crail.core.block.CoreDataOperation;
import org.apache.crail.core.block.StoreParts;
import org.apache.crail.core.call.Waiting;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.rpc.message.SlotsRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the directory records of one container, page by page and without waiting. Buffers go back as soon as a page has
 * arrived, whoever still waits for it. Thread safe.
 */
public final class RecordReader {
    private static final Logger LOG = LoggerFactory.getLogger(RecordReader.class);

    private final StoreParts parts;
    private final String container;
    private final BlockMapper mapper;

    /** Makes a reader; {@code container} is the container's path, {@code fd} its id. */
    public RecordReader(StoreParts parts, String container, long fd) {
        this.parts = parts;
        this.container = container;
        this.mapper = new BlockMapper(parts, fd);
    }

    /** How many slots, at most, from {@code firstSlot} on can be read at once: up to the end of its block. */
    public int pageSlots(int firstSlot) {
        int perBlock = parts.settings().recordsPerBlock();
        int perBuffer = parts.buffers().bufferSize() / parts.settings().recordSizeBytes();
        return Math.min(Math.min(perBuffer, SlotsRequest.MAX_COUNT), perBlock - firstSlot % perBlock);
    }

    /**
     * Reads the records of some slots.
     *
     * @param lastSlot the last slot that the caller will ask for, now or later
     * @return a record per slot, null where there is none that was written completely
     */
    public CompletableFuture<ChildRecord[]> read(int firstSlot, int count, int lastSlot) {
        CrailBuffer buffer;
        try {
            buffer = parts.buffers().allocateBuffer();
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
        int recordSize = parts.settings().recordSizeBytes();
        CrailBuffer page = buffer.limit(count * recordSize).slice();
        PageOperation operation = new PageOperation(buffer, page, count);
        long position = (long) firstSlot * recordSize;
        long blocksLeft = parts.settings().blockIndex((long) lastSlot * recordSize)
                - parts.settings().blockIndex(position)
                + 1;
        new BlockTransfer(parts, mapper, operation, page, position)
                .begin((int) Math.min(blocksLeft, BlockMapper.MAX_BATCH));
        return operation.handle((done, failure) -> {
            if (failure != null && !isBehindEnd(failure)) {
                throw new CompletionException(failure);
            }
            return operation.records;
        });
    }

    /** The container has shrunk since its slots were counted: nothing lives there any more. */
    private static boolean isBehindEnd(Throwable failure) {
        return Waiting.typed("reading records", failure).code() == ErrorCode.POSITION_OUT_OF_RANGE;
    }

    /** The read of one page. */
    private final class PageOperation extends CoreDataOperation {
        private final CrailBuffer whole;
        private final CrailBuffer page;
        private final ChildRecord[] records;

        PageOperation(CrailBuffer whole, CrailBuffer page, int count) {
            super(parts.inputStatistics(), container, page.capacity(), 1, false, true);
            this.whole = whole;
            this.page = page;
            this.records = new ChildRecord[count];
        }

        @Override
        protected void ended(CrailException result) {
            int size = parts.settings().recordSizeBytes();
            for (int i = 0; result == null && i < records.length; i++) {
                records[i] = ChildRecord.decode(page.getByteBuffer(), i * size, size, container);
            }
            try {
                parts.buffers().freeBuffer(whole);
            } catch (IOException e) {
                LOG.error("cannot give a buffer back", e);
            }
        }
    }
}
