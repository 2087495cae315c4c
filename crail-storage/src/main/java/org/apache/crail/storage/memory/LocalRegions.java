/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.internal.BackgroundThreads;
import org.apache.crail.metadata.BlockInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The regions of a datanode on this host, as far as this process can see their memory and may use it. Each is mapped on a
 * background thread when the first of its blocks is used. To be given up when the datanode may have ended. Thread safe.
 */
public final class LocalRegions {
    private static final Logger LOG = LoggerFactory.getLogger(LocalRegions.class);
    private static final int MOST_REGIONS = 1 << 20;

    private final LocalOffer offer;
    private final BitSet requested = new BitSet();
    private volatile LocalRegion[] regions = {};

    /** Uses what a datanode offers; nothing is mapped yet. */
    public LocalRegions(LocalOffer offer) {
        this.offer = offer;
    }

    /** Whether a region is mapped. */
    public boolean isInUse() {
        return regions.length > 0;
    }

    /**
     * Copies bytes between a buffer and a block on the calling thread, if the block's region is mapped and the datanode does
     * not have to put this transfer and others in order.
     *
     * @param offset in the block, which the transfer does not leave
     * @param buffer its bytes from position to limit are transferred; its position is not changed
     * @return whether it was done; if not, a socket has to be used
     * @throws CrailException StaleBlockException, BlockBoundsException, or DatanodeUnreachableException when the memory vanished
     */
    public boolean transfer(boolean isWrite, BlockInfo block, int offset, ByteBuffer buffer) throws CrailException {
        int index = block.getLkey() - offer.firstKey();
        LocalRegion region = find(index);
        if (region == null) {
            return false;
        }
        try {
            return region.transfer(isWrite, block, offset, buffer);
        } catch (DatanodeUnreachableException vanished) {
            put(index, null);
            throw vanished;
        }
    }

    private LocalRegion find(int index) {
        LocalRegion[] current = regions;
        LocalRegion found = index >= 0 && index < current.length ? current[index] : null;
        if (found == null && index >= 0 && index < MOST_REGIONS) {
            request(index);
        }
        return found;
    }

    private void request(int index) {
        boolean isFirst;
        synchronized (requested) {
            isFirst = !requested.get(index);
            requested.set(index);
        }
        if (isFirst) {
            BackgroundThreads.executor().execute(() -> open(index));
        }
    }

    private void open(int index) {
        Path file = offer.region(index);
        try {
            put(index, LocalRegion.open(file, offer.token()));
            LOG.debug("{} is reached without a socket", file);
        } catch (IOException | UnsupportedOperationException | InternalError e) {
            LOG.debug("{} is reached over a socket, as its memory cannot be used here", file, e);
        }
    }

    private synchronized void put(int index, LocalRegion region) {
        LocalRegion[] more = Arrays.copyOf(regions, Math.max(regions.length, index + 1));
        more[index] = region;
        regions = more;
    }
}
