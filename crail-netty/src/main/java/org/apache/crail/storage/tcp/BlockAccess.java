/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.util.ReferenceCounted;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.error.StorageFailureException;
import org.apache.crail.local.block.BlockFence;
import org.apache.crail.local.block.BlockFile;
import org.apache.crail.local.block.MappedRegion;
import org.apache.crail.local.block.MemoryFaults;
import org.apache.crail.netty.SocketAddresses;
import org.apache.crail.storage.file.DiskRegion;

/**
 * A request that has been found right, and the memory it concerns. Thread safe; the bytes are not guarded.
 *
 * @param request what the client wants
 * @param file the region
 * @param pages the file of a mapped region, where it may be sent from
 * @param fence keeps earlier allocations out of its blocks
 */
record BlockAccess(TransferRequest request, BlockFile file, Optional<FileChannel> pages, BlockFence fence) {
    private static final int MOST_READ_BEFORE = 256 * 1024;

    /** Fewer are copied sooner than their pages are counted. */
    private static final int LEAST_BY_PAGES = 64 * 1024;

    /**
     * The bytes to be sent, for a channel to write. Of a file that is not mapped, few are read now, so that a disk's
     * failure can be told; many are read as they are sent. Of a mapped one, a Unix domain socket is given the pages of
     * many, and not a copy: what a later owner of the block writes into them before the client has received them is
     * harmless, as the client's lease has ended by then.
     */
    ReferenceCounted content(Channel channel) throws IOException {
        if (file instanceof DiskRegion disk) {
            return request.length() > MOST_READ_BEFORE ? ofFile(disk.file()) : copied(disk, channel.alloc());
        }
        return pages.isPresent() && request.length() >= LEAST_BY_PAGES && SocketAddresses.isLocalSocket(channel)
                ? ofFile(pages.get())
                : Unpooled.wrappedBuffer(mapped());
    }

    private OpenFileRegion ofFile(FileChannel open) {
        return new OpenFileRegion(open, position(), request.length());
    }

    private ByteBuf copied(DiskRegion disk, ByteBufAllocator allocator) throws IOException {
        ByteBuf bytes = allocator.directBuffer(request.length(), request.length());
        boolean done = false;
        try {
            disk.read(position(), bytes.nioBuffer(0, request.length()));
            done = true;
            return bytes.writerIndex(request.length());
        } finally {
            if (!done) {
                bytes.release();
            }
        }
    }

    /** Whether bytes can be received right where they belong. */
    boolean isMapped() {
        return file instanceof MappedRegion;
    }

    /** The bytes themselves, of a mapped file; shared, not copied. */
    ByteBuffer mapped() {
        return ((MappedRegion) file).slice(position(), request.length());
    }

    /**
     * Copies bytes to a place in {@link #mapped}, and advances neither buffer. When memory has gone, the JVM may say so
     * later, to whoever it meets; so it is made to say it here.
     *
     * @throws StorageFailureException if they may not be there
     */
    void copy(ByteBuf from, int length, ByteBuf to) throws StorageFailureException {
        try {
            to.setBytes(to.writerIndex(), from, from.readerIndex(), length);
            MemoryFaults.raise();
        } catch (InternalError gone) {
            throw lost(gone);
        }
    }

    private StorageFailureException lost(InternalError cause) {
        if (!(file instanceof MappedRegion region)) {
            throw cause;
        }
        region.lost(cause);
        return failed();
    }

    /** Writes bytes behind those that have been written already, into a file that is not mapped. */
    void store(int written, ByteBuffer bytes) throws IOException {
        ((DiskRegion) file).write(position() + written, bytes);
    }

    private long position() {
        return request.address() + request.offset();
    }

    /** Whether the medium has failed, so that nothing of it may be used. */
    boolean hasFailed() {
        return file.hasFailed();
    }

    StorageFailureException failed() {
        return new StorageFailureException(request + ": " + file + " has failed, and what it holds may not be what was"
                + " written; see the datanode's log, and write the data again elsewhere");
    }

    /**
     * A read need not wait for those who write: what it wants was written before it was asked for.
     *
     * @throws StaleBlockException if the block has been given to another node
     * @throws StorageFailureException if the memory of a fence that clients share has gone, here and in the methods
     *     that follow
     */
    void admit() throws CrailException {
        try {
            requireAdmitted(
                    request.isWrite() ? fence.admit(block(), request.epoch()) : fence.raise(block(), request.epoch()));
        } catch (InternalError gone) {
            throw lost(gone);
        }
    }

    /**
     * Begins to write bytes, unless the block has been given to another node; each success is ended by {@link #leave}.
     */
    void enter() throws CrailException {
        try {
            requireAdmitted(fence.enter(block(), request.epoch()));
        } catch (InternalError gone) {
            throw lost(gone);
        }
    }

    void leave() throws StorageFailureException {
        try {
            fence.leave(block(), request.epoch());
        } catch (InternalError gone) {
            throw lost(gone);
        }
    }

    /** Fails if the block has been given to another node since. */
    void requireCurrent() throws CrailException {
        try {
            requireAdmitted(fence.isCurrent(block(), request.epoch()));
        } catch (InternalError gone) {
            throw lost(gone);
        }
    }

    private void requireAdmitted(boolean isAdmitted) throws StaleBlockException {
        if (!isAdmitted) {
            throw stale();
        }
    }

    private StaleBlockException stale() {
        return new StaleBlockException(request + ": the block has been given to another node since, epoch "
                + fence.seen(block()) + "; ask the namenode for the location again");
    }

    private int block() {
        return file.blockOf(request.address());
    }
}
