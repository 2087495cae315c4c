/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.block;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file, in memory as a rule, that holds whole blocks. It is mapped in segments of at most 1 GiB, and no block crosses
 * the end of one. Once somebody has cut it short, or the fence that its datanode needs, it counts as failed for good,
 * also for clients on this host, as what is written to the rest may be gone as well. Thread safe; the bytes are not
 * guarded.
 */
public final class MappedRegion implements BlockFile {
    static final int MOST_SEGMENT_BYTES = SegmentLayout.MOST_BYTES;

    private static final Logger LOG = LoggerFactory.getLogger(MappedRegion.class);

    /** Linux maps so many bytes around a page that is read, by default. */
    private static final int FAULT_AROUND_BYTES = 1 << 16;

    private static int unused; // always 0, so never written; compilers cannot leave the reads out because of it

    private final Path path;
    private final SegmentLayout layout;
    private final MappedByteBuffer[] segments;
    private final long blockBytes;
    private final AtomicBoolean failed = new AtomicBoolean();
    private volatile FenceFile fence; // null while it is not shared
    private volatile boolean needsFence;

    private MappedRegion(Path path, SegmentLayout layout, MappedByteBuffer[] segments, long blockBytes) {
        this.path = path;
        this.layout = layout;
        this.segments = segments;
        this.blockBytes = blockBytes;
    }

    /** Maps the first {@code length} bytes of a file, all of whose pages exist; they are touched when they are used. */
    public static MappedRegion map(Path path, FileChannel file, long length, long blockBytes, FileMemory kind)
            throws IOException {
        SegmentLayout layout = SegmentLayout.of(length, blockBytes);
        MappedByteBuffer[] segments = new MappedByteBuffer[layout.count()];
        for (int i = 0; i < segments.length; i++) {
            if (layout.start(i) % kind.pageBytes() != 0) {
                throw new IOException("blocks of " + blockBytes + " bytes do not fit pages of " + kind.pageBytes()
                        + " bytes; lower the allocation size to 1 GiB or less, or choose another block size");
            }
            segments[i] = kind.map(file, layout.start(i), layout.lengthOf(i)).slice(0, layout.lengthOf(i));
        }
        return new MappedRegion(path, layout, segments, blockBytes);
    }

    /**
     * Touches all pages now, so that later accesses find them mapped. For a process that is going to use all of them,
     * and a file in memory.
     */
    public void load() {
        for (MappedByteBuffer segment : segments) {
            MappedByteBuffer ignored = segment.load();
        }
    }

    /** The length of the pieces in which regions are mapped that have blocks of this size. */
    public static int segmentBytes(long blockBytes) {
        return SegmentLayout.segmentBytesOf(blockBytes);
    }

    @Override
    public long length() {
        return layout.length();
    }

    @Override
    public long blockBytes() {
        return blockBytes;
    }

    @Override
    public boolean hasFailed() {
        return failed.get();
    }

    /** Clients on this host use the region with this fence. */
    public void share(FenceFile with) {
        fence = with;
        if (hasFailed()) { // before it was shared
            with.stop();
        }
    }

    /** The datanode itself uses the fence as well if there is one, so that the region fails with it. */
    public void needFence() {
        needsFence = true;
    }

    /**
     * Looks whether file and fence are as long as they were made; the system tells only those who use what is gone. A
     * fence that is not ends what clients on this host do without the tier.
     */
    @Override
    public void check() {
        if (hasFailed()) {
            return;
        }
        if (isShort(path, length())) {
            fail(path, "is shorter than it was made", null);
        }
        FenceFile shared = fence;
        if (shared != null && isShort(shared.path(), FenceFile.bytes(blocks()))) {
            onFenceCut(shared.path());
            shared.stop();
            fence = null;
        }
    }

    private void onFenceCut(Path file) {
        if (needsFence) {
            fail(file, "is shorter than it was made", null);
        } else {
            LOG.warn(
                    "somebody has cut {} short; clients on this host cannot copy blocks of its region themselves any"
                            + " more",
                    file);
        }
    }

    private static boolean isShort(Path file, long expected) {
        try {
            return Files.size(file) < expected;
        } catch (IOException e) {
            LOG.debug("the length of {} cannot be told; what is mapped stays without a name, too", file, e);
            return false;
        }
    }

    /** Bytes that the file or its fence should have could not be used. */
    public void lost(InternalError cause) {
        fail(path, "or its fence has bytes that cannot be used", cause);
    }

    private void fail(Path file, String what, InternalError cause) {
        if (failed.compareAndSet(false, true)) {
            LOG.error(
                    "{} {}: somebody has cut it short; the region has failed, and this datanode sends no heartbeats any"
                            + " more, so its blocks count as lost; restart the datanode",
                    file,
                    what,
                    cause);
            FenceFile shared = fence;
            if (shared != null) {
                shared.stop();
            }
        }
    }

    @Override
    public String toString() {
        return "the memory of " + path;
    }

    /** Where the file is. */
    public Path path() {
        return path;
    }

    /** The bytes of a range that lies within one block; shared, not copied. */
    public ByteBuffer slice(long offset, int length) {
        return segments[layout.segmentOf(offset)].slice(layout.offsetInSegment(offset), length);
    }

    /** Copies the bytes between a buffer's position and limit to or from a range that lies within one block. */
    void copy(boolean intoRegion, long offset, ByteBuffer buffer) {
        ByteBuffer segment = segments[layout.segmentOf(offset)];
        int start = layout.offsetInSegment(offset);
        if (intoRegion) {
            touch(segment, start, start + buffer.remaining());
            segment.put(start, buffer, buffer.position(), buffer.remaining());
        } else {
            buffer.put(buffer.position(), segment, start, buffer.remaining());
        }
    }

    /**
     * Reads one byte of each 64 KiB before a long write. At the first use of a page the kernel maps its neighbours as
     * well for a read, but only that page for a write. The end that is left out is too short to matter.
     */
    private static void touch(ByteBuffer segment, int start, int end) {
        int sum = 0;
        for (int at = start; end - at > FAULT_AROUND_BYTES; at += FAULT_AROUND_BYTES) {
            sum += segment.get(at);
        }
        if (unused != 0) {
            unused = sum;
        }
    }

    /** In how many pieces it is mapped. */
    public int segments() {
        return segments.length;
    }

    /** All bytes of one piece, which follow those of the piece before; shared, not copied. */
    public ByteBuffer segment(int index) {
        return segments[index].duplicate().clear();
    }
}
