/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.memory;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.apache.crail.CrailBuffer;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.internal.FilePages;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maps regions of {@code crail.regionsize} bytes under {@code crail.cachepath}, up to {@code crail.cachelimit}. A region has
 * all its memory from the start, so that a file system that becomes full later does not matter to it. The files are deleted
 * before they have any, so that nothing is left behind even by a JVM that is killed. If the path is empty, or no region can
 * be mapped there, which is logged once, further buffers come from the direct memory of the JVM. All methods are thread safe.
 */
public class MappedBufferCache extends BufferCache {
    private static final Logger LOG = LoggerFactory.getLogger(MappedBufferCache.class);

    private final String path;
    private final long limitBytes;
    private final long regionBytes;
    private long mappedBytes;
    private boolean unusable;

    /** Makes a cache with the default configuration. */
    public MappedBufferCache() throws IOException {
        this(CrailConfiguration.createEmptyConfiguration());
    }

    /** Makes a cache; maps nothing yet. */
    public MappedBufferCache(CrailConfiguration conf) throws IOException {
        super(conf);
        this.path = conf.get(CrailKeys.CACHE_PATH);
        this.limitBytes = conf.get(CrailKeys.CACHE_LIMIT);
        long wanted = Math.min(Math.min(conf.get(CrailKeys.REGION_SIZE), limitBytes), Integer.MAX_VALUE);
        this.regionBytes = wanted - wanted % bufferSize();
    }

    /** Maps the next region, or gives null if the limit is reached or nothing can be mapped. */
    @Override
    public synchronized CrailBuffer allocateRegion() throws IOException {
        if (path.isEmpty() || unusable || regionBytes == 0 || mappedBytes + regionBytes > limitBytes) {
            return null;
        }
        try {
            CrailBuffer region = OffHeapBuffer.wrap(mapUninterruptibly(Path.of(path)));
            mappedBytes += regionBytes;
            return region;
        } catch (IOException | IllegalArgumentException | UnsupportedOperationException | OutOfMemoryError e) {
            unusable = true;
            LOG.warn(
                    "cannot map {} bytes for buffers under {} = {}: {}; further buffers come from the direct memory of the JVM;"
                            + " make space there, lower {} or choose another path",
                    regionBytes,
                    CrailKeys.CACHE_PATH,
                    path,
                    e.toString(),
                    CrailKeys.REGION_SIZE);
            return null;
        }
    }

    /** An interrupt closes the file: it is made anew then, as the end of one thread must not keep the others from regions. */
    private MappedByteBuffer mapUninterruptibly(Path directory) throws IOException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return map(directory);
                } catch (ClosedByInterruptException e) {
                    interrupted = Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private MappedByteBuffer map(Path directory) throws IOException {
        Files.createDirectories(directory);
        FileStore store = Files.getFileStore(directory);
        checkSpace(store);
        Path file = directory.resolve("buffers-" + UUID.randomUUID());
        try (FileChannel channel = FileChannel.open(
                file,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE)) {
            if (!FilePages.areHuge(store)) {
                FilePages.fill(channel, regionBytes);
            }
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, regionBytes);
        }
    }

    /** Refuses early, rather than first take all that is free there from others. */
    private void checkSpace(FileStore store) throws IOException {
        if (store.getTotalSpace() > 0 && store.getUsableSpace() < regionBytes) {
            throw new IOException("only " + store.getUsableSpace() + " bytes are free there");
        }
    }
}
