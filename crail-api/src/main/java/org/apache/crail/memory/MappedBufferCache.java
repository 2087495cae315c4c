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
 * Maps regions of at most {@code crail.regionsize} bytes under {@code crail.cachepath}, up to {@code crail.cachelimit}
 * in all. A region has all its memory from the start, so that a file system that becomes full later does not matter to
 * it; outside of huge pages regions have at most 16 MiB, so that little is taken that is not needed. Nothing is left
 * behind, even by a JVM that is killed. If the path is empty, or no region can be mapped there, which is logged once,
 * further buffers come from the direct memory of the JVM. All methods are thread safe.
 */
public class MappedBufferCache extends BufferCache {
    private static final Logger LOG = LoggerFactory.getLogger(MappedBufferCache.class);
    private static final long MOST_FILLED_BYTES = 16L << 20;

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
        this.regionBytes = Math.min(Math.min(conf.get(CrailKeys.REGION_SIZE), limitBytes), Integer.MAX_VALUE);
    }

    /** Maps the next region, or gives null if the limit is reached or nothing can be mapped. */
    @Override
    public synchronized CrailBuffer allocateRegion() throws IOException {
        if (path.isEmpty() || unusable || limitBytes - mappedBytes < bufferSize()) {
            return null;
        }
        int bytes = 0;
        try {
            BufferDirectory directory = new BufferDirectory(Path.of(path));
            bytes = nextRegionBytes(directory);
            if (bytes == 0) {
                return null;
            }
            CrailBuffer region = OffHeapBuffer.wrap(directory.map(bytes));
            mappedBytes += bytes;
            return region;
        } catch (IOException | IllegalArgumentException | UnsupportedOperationException e) {
            unusable = true;
            LOG.warn(
                    "cannot map {} bytes for buffers under {} = {}: {}; further buffers come from the direct memory of the JVM;"
                            + " make space there or choose another path",
                    bytes,
                    CrailKeys.CACHE_PATH,
                    path,
                    e.toString());
            return null;
        }
    }

    private int nextRegionBytes(BufferDirectory directory) throws IOException {
        long most = directory.hasHugePages()
                ? regionBytes
                : Math.min(regionBytes, Math.max(MOST_FILLED_BYTES, bufferSize()));
        int bytes = wholeBytes(Math.min(most, limitBytes - mappedBytes), bufferSize(), directory.pageBytes());
        if (bytes == 0 && mappedBytes == 0 && directory.hasHugePages()) {
            throw new IOException("a region of " + most + " bytes holds no whole pages of " + directory.pageBytes()
                    + " bytes; raise " + CrailKeys.REGION_SIZE + " or " + CrailKeys.CACHE_LIMIT);
        }
        return bytes;
    }

    /** As many as are whole buffers and whole pages. */
    static int wholeBytes(long most, int bufferBytes, long pageBytes) {
        long unit = bufferBytes;
        while (unit % pageBytes != 0) {
            unit += bufferBytes;
        }
        return (int) (most - most % unit);
    }
}
