/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
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
    private volatile Slot[] slots = {};

    /** Uses what a datanode offers; nothing is mapped yet. */
    public LocalRegions(LocalOffer offer) {
        this.offer = offer;
    }

    /** Whether this is about what a datanode offers now. */
    public boolean isOf(LocalOffer present) {
        return offer.equals(present);
    }

    /** Whether a region can be used. */
    public boolean isInUse() {
        for (Slot slot : slots) {
            if (slot != null && slot.region != null) {
                return true;
            }
        }
        return false;
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
        Slot slot = slot(block.getLkey() - offer.firstKey());
        LocalRegion region = slot == null ? null : slot.region;
        if (region == null) {
            return false;
        }
        try {
            return region.transfer(isWrite, block, offset, buffer);
        } catch (DatanodeUnreachableException vanished) {
            slot.region = null;
            throw vanished;
        }
    }

    private Slot slot(int index) {
        Slot[] current = slots;
        if (index < 0 || index >= MOST_REGIONS) {
            return null;
        }
        return index < current.length && current[index] != null ? current[index] : addSlot(index);
    }

    private synchronized Slot addSlot(int index) {
        Slot[] more = Arrays.copyOf(slots, Math.max(slots.length, index + 1));
        if (more[index] == null) {
            Slot added = new Slot();
            more[index] = added;
            slots = more;
            BackgroundThreads.executor().execute(() -> open(offer.region(index), added));
        }
        return more[index];
    }

    private void open(Path file, Slot slot) {
        try {
            LocalRegion region = LocalRegion.open(file, offer.token());
            MemoryFaults.raise();
            slot.region = region;
            LOG.debug("{} is reached without a socket", file);
        } catch (IOException | UnsupportedOperationException | InternalError e) {
            LOG.debug("{} is reached over a socket, as its memory cannot be used here", file, e);
        }
    }

    /** A region that was asked for; without one while it is not mapped, or cannot be. */
    private static final class Slot {
        private volatile LocalRegion region;
    }
}
