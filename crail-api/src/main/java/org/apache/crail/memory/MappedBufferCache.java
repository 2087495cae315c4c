/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.memory;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.crail.CrailBuffer;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maps regions of {@code crail.regionsize} bytes under {@code crail.cachepath}, up to {@code crail.cachelimit}. A buffer has its
 * memory before it is given for the first time, so that a file system that becomes full later does not matter to it. Nothing is
 * left behind, even by a JVM that is killed. If the path is empty, or there is no memory for a buffer, which is logged once,
 * further buffers come from the direct memory of the JVM. All methods are thread safe.
 */
public class MappedBufferCache extends BufferCache {
    private static final Logger LOG = LoggerFactory.getLogger(MappedBufferCache.class);
    private static final int PART_BYTES = 1 << 20;

    private final String path;
    private final long limitBytes;
    private final int regionBytes;
    private long mappedBytes;
    private BufferFile region;
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
        this.regionBytes = (int) (wanted - wanted % bufferSize());
    }

    /**
     * Gives the next part of a region, whole buffers of together 1 MiB if buffers are not larger, with memory of its own; null if the
     * limit is reached or there is no memory.
     */
    @Override
    public synchronized CrailBuffer allocateRegion() throws IOException {
        if (path.isEmpty() || unusable) {
            return null;
        }
        try {
            if (region == null || region.isUsedUp()) {
                if (regionBytes == 0 || mappedBytes + regionBytes > limitBytes) {
                    return null;
                }
                region = BufferFile.map(Path.of(path), regionBytes);
                mappedBytes += regionBytes;
            }
            return region.nextPart(Math.max(1, PART_BYTES / bufferSize()) * bufferSize());
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

    @Override
    public void close() {
        super.close();
        endRegion();
    }

    private synchronized void endRegion() {
        unusable = true;
        if (region != null) {
            region.close();
        }
    }
}
