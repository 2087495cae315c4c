/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.crail.error.BlockBoundsException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.storage.memory.MappedRegion;

/**
 * The regions of a datanode by key. Keys differ from start to start, so that locations of blocks of an earlier start are
 * not mistaken for new ones. Thread safe.
 */
final class RegionTable {
    private static final int MOST_REGIONS = 1 << 20;

    private final int firstKey = ThreadLocalRandom.current().nextInt(1, Integer.MAX_VALUE - MOST_REGIONS);
    private volatile FencedRegion[] regions = {};

    /** Adds a region; answers its key. */
    synchronized int add(MappedRegion memory) {
        FencedRegion[] more = Arrays.copyOf(regions, regions.length + 1);
        more[regions.length] = new FencedRegion(memory);
        regions = more;
        return firstKey + more.length - 1;
    }

    /** Why a request is refused, or null; notes its epoch if it is not. */
    CrailException check(TransferRequest request) {
        FencedRegion region = find(request.region());
        if (region == null) {
            return new BlockBoundsException(
                    request + ": this datanode has no such region, maybe it started anew; ask the"
                            + " namenode for the location again");
        }
        if (!region.memory().hasBlock(request.address(), request.blockLength())) {
            return new BlockBoundsException(
                    request + ": the region has " + region.memory().length()
                            + " bytes and no such block; check that crail.blocksize is the same everywhere");
        }
        if (!request.isWithinBlock()) {
            return new BlockBoundsException(request + ": the range is not inside the block");
        }
        int block = region.memory().blockOf(request.address());
        return region.epochs().admit(block, request.epoch()) ? null : stale(request);
    }

    StaleBlockException stale(TransferRequest request) {
        FencedRegion region = find(request.region());
        return new StaleBlockException(request + ": the block has been given to another node since, epoch "
                + region.epochs().seen(region.memory().blockOf(request.address()))
                + "; ask the namenode for the location again");
    }

    /** Whether no higher epoch has been noted for the block since the request was checked. */
    boolean isCurrent(TransferRequest request) {
        FencedRegion region = find(request.region());
        return region == null || region.epochs().isCurrent(region.memory().blockOf(request.address()), request.epoch());
    }

    /** The bytes that a checked request concerns. */
    ByteBuffer slice(TransferRequest request) {
        return find(request.region()).memory().slice(request.address() + request.offset(), request.length());
    }

    private FencedRegion find(int key) {
        FencedRegion[] current = regions;
        int index = key - firstKey;
        return index >= 0 && index < current.length ? current[index] : null;
    }
}
