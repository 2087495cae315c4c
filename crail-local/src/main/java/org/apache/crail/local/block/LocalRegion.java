/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.block;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.metadata.BlockInfo;

/**
 * A region of a datanode on this host, in the memory of a client. Bytes are copied by the calling thread; the block's
 * epoch is looked at before and after. Thread safe.
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
     * @param region its file
     * @throws IOException if the file or its fence is not there, is not the user's own, or is another than the
     *     datanode's
     */
    static LocalRegion open(Path region, LocalOffer offer, int key) throws IOException {
        FileIdentity identity = FileIdentity.of(region);
        try (FileChannel channel = identity.open(region)) {
            FenceFile file = FenceFile.open(region, offer);
            if (!identity.isSame(file.region())) {
                throw new IOException(region + " is another file than the datanode's");
            }
            if (file.key() != key) {
                throw new IOException(region + " is not that of region " + Integer.toUnsignedString(key));
            }
            if (file.isStopped()) {
                throw new IOException("the datanode of " + region + " has stopped");
            }
            if (channel.size() < file.length()) {
                throw new IOException(region + " has " + channel.size() + " bytes instead of " + file.length());
            }
            MappedRegion memory =
                    MappedRegion.map(region, channel, file.length(), file.blockBytes(), FileMemory.of(region));
            return new LocalRegion(file, memory);
        }
    }

    /**
     * Copies bytes between a buffer and a block, unless there is no such block, or the datanode has to put this
     * transfer and others in order.
     *
     * @param offset in the block
     * @param buffer its bytes from position to limit are transferred; its position is not changed
     * @return whether it was done; if not, the tier has to do it
     */
    boolean transfer(boolean isWrite, BlockInfo block, int offset, ByteBuffer buffer) throws CrailException {
        long start = block.getAddr() - file.address();
        if (!memory.hasBlock(start, block.getLength())) {
            return false; // the tier says what is wrong
        }
        Outcome outcome;
        try {
            outcome = attempt(isWrite, start, offset, block.epoch(), buffer);
            MemoryFaults.raise();
        } catch (InternalError e) { // what the JVM makes of a SIGBUS in mapped memory
            throw vanished(e);
        }
        return switch (outcome) {
            case DONE -> true;
            case LEFT_TO_TIER -> false;
            case STALE ->
                throw new StaleBlockException("the block has been given to another node since epoch " + block.epoch()
                        + "; ask the namenode for the location again");
            case STOPPED -> throw vanished(null);
        };
    }

    private Outcome attempt(boolean isWrite, long start, int offset, long epoch, ByteBuffer buffer) {
        int number = memory.blockOf(start);
        if (file.isStopped()) {
            return Outcome.LEFT_TO_TIER;
        }
        if (!fence.raise(number, epoch)) {
            return Outcome.STALE;
        }
        if (isWrite && !fence.tryClear(number, epoch)) {
            return Outcome.LEFT_TO_TIER;
        }
        memory.copy(isWrite, start + offset, buffer);
        VarHandle.fullFence();
        if (file.isStopped()) {
            return Outcome.STOPPED;
        }
        return fence.isCurrent(number, epoch) ? Outcome.DONE : Outcome.STALE;
    }

    private static DatanodeUnreachableException vanished(InternalError cause) {
        return new DatanodeUnreachableException(
                "the datanode's memory has gone while bytes were copied; check that the datanode runs", cause);
    }

    private enum Outcome {
        DONE,
        LEFT_TO_TIER,
        STALE,
        STOPPED
    }
}
