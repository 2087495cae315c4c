/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.memory;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.apache.crail.error.BlockBoundsException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.metadata.BlockInfo;

/**
 * A region of a datanode on this host, in the memory of a client. Bytes are copied by the calling thread; the block's epoch
 * is looked at before and after. Thread safe.
 */
final class LocalRegion {
    private final FenceFile file;
    private final BlockFence fence;
    private final MappedRegion memory;

    private LocalRegion(FenceFile file, MappedRegion memory) {
        this.file = file;
        this.fence = file.fence();
        this.memory = memory;
    }

    /**
     * Maps a region.
     *
     * @throws IOException if its files are not there, may not be written, or are others than the datanode's
     */
    static LocalRegion open(Path region, UUID token) throws IOException {
        try (FileChannel channel = FileChannel.open(
                region, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            FenceFile file = FenceFile.open(region, token);
            if (file.isStopped()) {
                throw new IOException("the datanode of " + region + " has stopped");
            }
            if (channel.size() < file.length()) {
                throw new IOException(region + " has " + channel.size() + " bytes instead of " + file.length());
            }
            MappedRegion memory = MappedRegion.map(channel, file.length(), file.blockBytes(), FileMemory.of(region));
            return new LocalRegion(file, memory);
        }
    }

    /**
     * Copies bytes between a buffer and a block, unless the datanode has to put this transfer and others in order.
     *
     * @param offset in the block
     * @param buffer its bytes from position to limit are transferred; its position is not changed
     * @return whether it was done; if not, a socket has to be used
     */
    boolean transfer(boolean isWrite, BlockInfo block, int offset, ByteBuffer buffer) throws CrailException {
        if (!memory.hasBlock(block.getAddr(), block.getLength())) {
            throw new BlockBoundsException("the region of " + memory.length()
                    + " bytes has no such block; check that crail.blocksize is the same everywhere");
        }
        Outcome outcome;
        try {
            outcome = attempt(isWrite, block, offset, buffer);
            MemoryFaults.raise();
        } catch (InternalError e) { // what the JVM makes of a SIGBUS in mapped memory
            throw vanished(e);
        }
        return switch (outcome) {
            case DONE -> true;
            case LEFT_TO_SOCKET -> false;
            case STALE ->
                throw new StaleBlockException("the block has been given to another node since epoch " + block.epoch()
                        + "; ask the namenode for the location again");
            case STOPPED -> throw vanished(null);
        };
    }

    private Outcome attempt(boolean isWrite, BlockInfo block, int offset, ByteBuffer buffer) {
        int number = memory.blockOf(block.getAddr());
        if (file.isStopped()) {
            return Outcome.LEFT_TO_SOCKET;
        }
        if (!fence.raise(number, block.epoch())) {
            return Outcome.STALE;
        }
        if (isWrite && !fence.tryClear(number, block.epoch())) {
            return Outcome.LEFT_TO_SOCKET;
        }
        memory.copy(isWrite, block.getAddr() + offset, buffer);
        VarHandle.fullFence();
        if (file.isStopped()) {
            return Outcome.STOPPED;
        }
        return fence.isCurrent(number, block.epoch()) ? Outcome.DONE : Outcome.STALE;
    }

    private static DatanodeUnreachableException vanished(InternalError cause) {
        return new DatanodeUnreachableException(
                "the datanode's memory has gone while bytes were copied; check that the datanode runs", cause);
    }

    private enum Outcome {
        DONE,
        LEFT_TO_SOCKET,
        STALE,
        STOPPED
    }
}
