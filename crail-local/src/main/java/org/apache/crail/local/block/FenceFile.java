/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.block;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.crail.internal.FilePages;
import org.apache.crail.internal.OwnFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file beside a region with which processes of this host share its blocks: it proves which region it belongs to,
 * and holds the {@link BlockFence} and a mark that the datanode has stopped. The datanode changes its stamp as long as
 * it runs, which a copy of the file does not follow. All numbers are in the processor's byte order.
 *
 * <pre>
 * magic i64, token 2 x i64, inode of the region's file i64, its length i64, block size i64, stopped i64,
 * region's key i64, its address i64, where the token is in the datanode's memory i64, key to read it there with i64,
 * device of both files i64, inode of this file i64, stamp i64, unused 2 x i64, fence
 * </pre>
 *
 * <p>The magic number is written last.
 *
 * <p>Thread safe, between processes too.
 */
public final class FenceFile {
    /** How the name of a region's file begins, and with it that of its fence. */
    public static final String REGION_PREFIX = "region-";

    private static final Logger LOG = LoggerFactory.getLogger(FenceFile.class);
    private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final long MAGIC = 0x4372_6169_6c46_3034L;
    private static final int TOKEN = Long.BYTES;
    private static final int INODE = 3 * Long.BYTES;
    private static final int LENGTH = 4 * Long.BYTES;
    private static final int BLOCK = 5 * Long.BYTES;
    private static final int STOPPED = 6 * Long.BYTES;
    private static final int KEY = 7 * Long.BYTES;
    private static final int ADDRESS = 8 * Long.BYTES;
    private static final int PROOF_ADDRESS = 9 * Long.BYTES;
    private static final int PROOF_KEY = 10 * Long.BYTES;
    private static final int DEVICE = 11 * Long.BYTES;
    private static final int OWN_INODE = 12 * Long.BYTES;
    private static final int STAMP = 13 * Long.BYTES;
    private static final int HEADER_BYTES = 16 * Long.BYTES;
    private static final String SUFFIX = ".fence";

    private final Path path;
    private final ByteBuffer memory;
    private final long length;
    private final long blockBytes;
    private final long address;
    private final int key;
    private final BlockFence fence;

    /** Uses memory whose header is there. */
    private FenceFile(Path path, ByteBuffer memory) {
        this.path = path;
        this.memory = memory;
        this.length = memory.getLong(LENGTH);
        this.blockBytes = memory.getLong(BLOCK);
        this.address = memory.getLong(ADDRESS);
        this.key = (int) memory.getLong(KEY);
        this.fence = new BlockFence(memory.slice(HEADER_BYTES, memory.capacity() - HEADER_BYTES));
    }

    /** Where the fence of a region's file is. */
    public static Path beside(Path region) {
        return region.resolveSibling(region.getFileName() + SUFFIX);
    }

    /** Whether a file in a datanode's directory is a fence. */
    public static boolean isFence(Path file) {
        return file.toString().endsWith(SUFFIX);
    }

    /** The fences in a datanode's directory. */
    public static List<Path> in(Path directory) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, REGION_PREFIX + "*")) {
            files.forEach(file -> {
                if (isFence(file)) {
                    found.add(file);
                }
            });
        }
        return found;
    }

    /** The size of the fence of so many blocks. */
    public static long bytes(long blocks) {
        return HEADER_BYTES + BlockFence.bytes(blocks);
    }

    /** Which region a fence file is about. */
    private static Path region(Path fence) {
        String name = fence.getFileName().toString();
        return fence.resolveSibling(name.substring(0, name.length() - SUFFIX.length()));
    }

    /**
     * Makes the fence of a region whose file is there.
     *
     * @param name what clients are to know the region by
     */
    public static FenceFile create(Path region, UUID token, MappedRegion mapped, RegionName name) throws IOException {
        Path path = beside(region);
        long bytes = bytes(mapped.blocks());
        try (FileChannel file = OwnFiles.create(path)) {
            FilePages.fill(file, bytes);
            ByteBuffer memory = map(file, bytes);
            memory.putLong(TOKEN, token.getMostSignificantBits());
            memory.putLong(TOKEN + Long.BYTES, token.getLeastSignificantBits());
            FileIdentity identity = FileIdentity.of(region);
            memory.putLong(INODE, identity.inode());
            memory.putLong(DEVICE, identity.device());
            memory.putLong(OWN_INODE, FileIdentity.of(path).inode());
            memory.putLong(LENGTH, mapped.length());
            memory.putLong(BLOCK, mapped.blockBytes());
            memory.putLong(KEY, name.key());
            memory.putLong(ADDRESS, name.address());
            memory.putLong(PROOF_ADDRESS, name.proofAddress());
            memory.putLong(PROOF_KEY, name.proofKey());
            WORD.setVolatile(memory, 0, MAGIC);
            return new FenceFile(path, memory);
        }
    }

    private static ByteBuffer map(FileChannel file, long bytes) throws IOException {
        return file.map(FileChannel.MapMode.READ_WRITE, 0, bytes).order(ByteOrder.nativeOrder());
    }

    /**
     * Opens the fence that a datanode has made.
     *
     * @throws IOException if it is not there, is not the user's own, or is not the one that was offered
     */
    static FenceFile open(Path region, LocalOffer offer) throws IOException {
        Path path = beside(region);
        FileIdentity identity = FileIdentity.of(path);
        try (FileChannel file = identity.open(path)) {
            long bytes = file.size();
            if (bytes < HEADER_BYTES || bytes > Integer.MAX_VALUE) {
                throw new IOException(path + " has " + bytes + " bytes, so it is no fence");
            }
            FenceFile found = new FenceFile(path, map(file, bytes));
            found.requireProof(identity, offer);
            return found;
        }
    }

    /**
     * What the head of a fence file says, not proved yet.
     *
     * @param region the file that it says to belong to
     */
    record Head(Path region, UUID token, int key, long proofAddress, int proofKey) {}

    /**
     * Reads the head of a fence file; nothing if it is none, is not complete yet, may not be read, or its datanode has
     * stopped.
     */
    static Optional<Head> head(Path fence) {
        ByteBuffer head = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.nativeOrder());
        try (FileChannel file = OwnFiles.openExisting(fence, StandardOpenOption.READ)) {
            if (file.read(head, 0) < HEADER_BYTES || head.getLong(0) != MAGIC || head.getLong(STOPPED) != 0) {
                return Optional.empty();
            }
        } catch (IOException e) {
            LOG.debug("{} cannot be read, so its region is reached otherwise", fence, e);
            return Optional.empty();
        }
        return Optional.of(new Head(
                region(fence),
                new UUID(head.getLong(TOKEN), head.getLong(TOKEN + Long.BYTES)),
                (int) head.getLong(KEY),
                head.getLong(PROOF_ADDRESS),
                (int) head.getLong(PROOF_KEY)));
    }

    /**
     * Removes a fence that a former datanode left, when its clients have been told that it has ended.
     *
     * @throws IOException if they cannot be told, or it cannot be removed
     */
    public static void retire(Path fence) throws IOException {
        try (FileChannel file = OwnFiles.openExisting(fence, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (file.size() >= HEADER_BYTES) { // else no client has it
                new FenceFile(fence, map(file, HEADER_BYTES)).stop();
            }
        }
        Files.delete(fence);
    }

    private void requireProof(FileIdentity identity, LocalOffer offer) throws IOException {
        boolean isOurs = (long) WORD.getVolatile(memory, 0) == MAGIC
                && offer.token().equals(new UUID(memory.getLong(TOKEN), memory.getLong(TOKEN + Long.BYTES)));
        if (!isOurs || !identity.isSame(identity(OWN_INODE))) {
            throw new IOException(path + " is not that of the datanode, or another file");
        }
        long stamp = (long) WORD.getVolatile(memory, STAMP);
        if (stamp < offer.stamp()) {
            throw new IOException(path + " is a copy that was made before the datanode was connected to: its stamp is "
                    + stamp + " instead of " + offer.stamp() + " or more");
        }
        boolean isSized = length > 0 && blockBytes > 0 && blockBytes <= MappedRegion.MOST_SEGMENT_BYTES;
        if (!isSized || length % blockBytes != 0 || memory.capacity() != bytes(length / blockBytes)) {
            throw new IOException(path + " does not fit a region of " + length + " bytes in blocks of " + blockBytes);
        }
    }

    private FileIdentity identity(int inode) {
        return new FileIdentity(memory.getLong(DEVICE), memory.getLong(inode));
    }

    /** Which file the region is. */
    FileIdentity region() {
        return identity(INODE);
    }

    Path path() {
        return path;
    }

    /** The fence itself. */
    public BlockFence fence() {
        return fence;
    }

    /** Of the region, in bytes. */
    long length() {
        return length;
    }

    long blockBytes() {
        return blockBytes;
    }

    /** What locations of blocks call the region. */
    int key() {
        return key;
    }

    /** What locations of blocks call the region's first byte. */
    long address() {
        return address;
    }

    /** Who maps this file, and no copy of it, sees this stamp or a later one from now on. */
    public void stamp(long stamp) {
        try {
            WORD.setVolatile(memory, STAMP, stamp);
            MemoryFaults.raise();
        } catch (InternalError e) {
            LOG.debug("a fence was cut short; whoever maps it finds that out as well", e);
        }
    }

    /** From now on the region's memory may vanish. */
    public void stop() {
        try {
            if (!isStopped()) {
                MemoryFaults.raise();
                WORD.setVolatile(memory, STOPPED, 1L);
            }
            MemoryFaults.raise();
        } catch (InternalError e) {
            LOG.debug("a fence was cut short; whoever maps it finds that out as well", e);
        }
    }

    boolean isStopped() {
        return (long) WORD.getVolatile(memory, STOPPED) != 0;
    }
}
