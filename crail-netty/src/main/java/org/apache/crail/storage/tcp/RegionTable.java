/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.crail.error.BlockBoundsException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.local.block.BlockFence;
import org.apache.crail.local.block.BlockFile;

/**
 * The regions of a datanode by key. Keys differ from start to start, so that locations of blocks of an earlier start
 * are not mistaken for new ones. Thread safe.
 */
final class RegionTable {
    /** As many as there are keys behind the first one at least. */
    private static final int MOST_REGIONS = 1 << 20;

    private final int firstKey = ThreadLocalRandom.current().nextInt(1, Integer.MAX_VALUE - MOST_REGIONS);
    private volatile FencedRegion[] regions = {};
    private volatile long epochLimit = Long.MAX_VALUE;

    /** Before the first call any epoch is admitted; from then on those up to the highest limit that was given. */
    synchronized void admitEpochs(long limit) {
        epochLimit = epochLimit == Long.MAX_VALUE ? limit : Math.max(epochLimit, limit);
    }

    /** The key of the region that is added next. */
    synchronized int nextKey() {
        return firstKey + regions.length;
    }

    /**
     * Adds a region; answers its key.
     *
     * @param pages the file of a mapped one, where it may be sent from
     */
    synchronized int add(BlockFile file, Optional<FileChannel> pages, BlockFence fence) {
        FencedRegion[] more = Arrays.copyOf(regions, regions.length + 1);
        more[regions.length] = new FencedRegion(file, pages, fence);
        regions = more;
        return firstKey + more.length - 1;
    }

    /**
     * Finds what a request concerns, and admits its epoch.
     *
     * @throws CrailException if the request is refused, because its range is wrong or its epoch is old
     */
    BlockAccess open(TransferRequest request) throws CrailException {
        FencedRegion region = find(request.region());
        if (region == null) {
            throw new StaleBlockException(request + ": this datanode has no such region, maybe it started anew; ask the"
                    + " namenode for the location again");
        }
        if (!region.file().hasBlock(request.address(), request.blockLength())) {
            throw new BlockBoundsException(
                    request + ": the region has " + region.file().length()
                            + " bytes and no such block; check that crail.blocksize is the same everywhere");
        }
        if (!request.isWithinBlock()) {
            throw new BlockBoundsException(request + ": the range is not inside the block");
        }
        if (request.epoch() > epochLimit) {
            throw new StaleBlockException(request + ": no namenode has given this epoch, the highest is " + epochLimit
                    + "; ask the namenode for the location again");
        }
        BlockAccess access = new BlockAccess(request, region.file(), region.pages(), region.fence());
        if (access.hasFailed()) {
            throw access.failed();
        }
        access.admit();
        return access;
    }

    /** Looks for failures of which nobody is told. */
    void check() {
        for (FencedRegion region : regions) {
            region.file().check();
        }
    }

    private FencedRegion find(int key) {
        FencedRegion[] current = regions;
        int index = key - firstKey;
        return index >= 0 && index < current.length ? current[index] : null;
    }

    private record FencedRegion(BlockFile file, Optional<FileChannel> pages, BlockFence fence) {}
}
