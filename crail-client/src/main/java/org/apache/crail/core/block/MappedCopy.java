/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.block;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongPredicate;
import org.apache.crail.error.CrailException;
import org.apache.crail.internal.NearStream;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.storage.StorageEndpoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies bytes between the caller's memory and those blocks of one stream that are mapped, as {@link NearStream} says.
 * One thread at a time may call.
 */
public final class MappedCopy {
    private static final Logger LOG = LoggerFactory.getLogger(MappedCopy.class);

    /** Of a copy in one go, for which garbage collection has to wait where an array is involved. */
    public static final int MOST_COPY_BYTES = 512 * 1024;

    private final StoreParts parts;
    private final BlockMapper mapper;
    private final Object file;
    private final boolean isWrite;
    private final LongPredicate holds;
    private boolean near;

    /**
     * Makes the one of a stream.
     *
     * @param file whose text appears in messages
     * @param holds whether what has been copied up to a position is right
     */
    public MappedCopy(StoreParts parts, BlockMapper mapper, Object file, boolean isWrite, LongPredicate holds) {
        this.parts = parts;
        this.mapper = mapper;
        this.file = file;
        this.isWrite = isWrite;
        this.holds = holds;
    }

    /** As {@link NearStream#isNear}, of a stream at a position. */
    public boolean isNear(long position) {
        LeasedBlock next = mapper.cached(parts.settings().blockIndex(position));
        if (next != null) {
            near = isMapped(parts, next);
        }
        return near;
    }

    private static boolean isMapped(StoreParts parts, LeasedBlock location) {
        try {
            return parts.endpoints().endpoint(location).isMapped(location.block);
        } catch (CrailException e) {
            LOG.trace("a transfer will tell why {} cannot be reached", location.block, e);
            return false;
        }
    }

    /**
     * Copies some of the bytes, up to the end of a block at most; otherwise as {@link NearStream#copy}.
     *
     * @param position where the bytes lie in the file
     * @param blocksWanted how many blocks, from that of the position on, to ask for if they are not known
     * @return how many bytes were copied; 0 if none
     */
    public int copy(ByteBuffer bytes, long position, int blocksWanted) {
        int blockSize = parts.settings().blockSizeBytes();
        int end = bytes.limit();
        int length = (int) Math.min(Math.min(bytes.remaining(), MOST_COPY_BYTES), blockSize - position % blockSize);
        boolean copied;
        bytes.limit(bytes.position() + length);
        try {
            copied = isNear(position) && tryCopy(bytes, position, blocksWanted);
        } finally {
            bytes.limit(end);
        }
        if (!copied) {
            return 0;
        }
        bytes.position(bytes.position() + length);
        return length;
    }

    /**
     * Copies bytes that do not leave a block. What fails is left to a transfer, which meets it again and knows what to
     * do then.
     */
    private boolean tryCopy(ByteBuffer bytes, long position, int blocksWanted) {
        LeasedBlock location = locate(position, blocksWanted);
        long offset = position % parts.settings().blockSizeBytes();
        if (location == null || !location.covers(offset + bytes.remaining())) {
            return false;
        }
        try {
            boolean copied = copy(parts, isWrite, bytes, location, offset);
            boolean isRight = mapper.isValid(location) && holds.test(position + bytes.remaining());
            return copied && isRight && (!isWrite || mapper.wrote(location));
        } catch (CrailException e) {
            LOG.trace("{}: bytes at {} have to be transferred", file, position, e);
            return false;
        }
    }

    /** Whether the block is mapped, and the bytes have been copied. */
    private static boolean copy(StoreParts parts, boolean isWrite, ByteBuffer bytes, LeasedBlock location, long offset)
            throws CrailException {
        StorageEndpoint endpoint = parts.endpoints().endpoint(location);
        boolean copied = endpoint.copy(isWrite, bytes, location.block, offset + location.block.start());
        if (copied) {
            int storageClass = location.block.getDnInfo().getStorageClass();
            parts.transfers().count(isWrite, storageClass, bytes.remaining());
            parts.statistics(isWrite).countTransfer(true);
        }
        return copied;
    }

    /**
     * The location of a value that lies in one block, of which the namenode has just told; null if it is to be
     * transferred.
     *
     * @param block null if there is none
     * @param expiryNs when the lease of the block ends
     */
    public static LeasedBlock ofValue(StoreParts parts, int length, BlockInfo block, long expiryNs) {
        if (block == null) {
            return null;
        }
        LeasedBlock location = new LeasedBlock(0, block, expiryNs);
        return location.covers(length) && isMapped(parts, location) ? location : null;
    }

    /**
     * Copies a value without a stream. What fails is left to a stream, which meets it again and knows what to do then.
     *
     * @return whether all of the bytes were copied while the block was the value's; the buffer stays as it is
     */
    public static boolean copyValue(StoreParts parts, boolean isWrite, ByteBuffer value, LeasedBlock location) {
        int length = value.remaining();
        boolean copied = location.isValid(parts.blocks().nowNs());
        try {
            for (int done = 0; copied && done < length; done += MOST_COPY_BYTES) {
                ByteBuffer piece = value.slice(value.position() + done, Math.min(MOST_COPY_BYTES, length - done));
                copied = copy(parts, isWrite, piece, location, done);
            }
        } catch (CrailException | RuntimeException | Error e) { // a stream ends well, whatever it meets
            LOG.trace("a value in {} has to be transferred", location.block, e);
            return false;
        }
        boolean isRight = copied && location.isValid(parts.blocks().nowNs());
        if (isRight) {
            parts.statistics(isWrite).countOperation(length);
        }
        return isRight;
    }

    private LeasedBlock locate(long position, int blocksWanted) {
        long index = parts.settings().blockIndex(position);
        LeasedBlock known = mapper.cached(index);
        parts.statistics(isWrite).countLocation(known != null);
        if (known != null) {
            return known;
        }
        try {
            return mapper.await(index, blocksWanted);
        } catch (IOException e) {
            near = false; // until a block is known again: a transfer asks next, and tells why there is none
            LOG.trace("{}: block {} has not been found", file, index, e);
            return null;
        }
    }
}
