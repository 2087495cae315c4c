/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.block;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.internal.BackgroundThreads;
import org.apache.crail.metadata.BlockInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The regions of a datanode on this host, as far as this process can see their memory and may use it. A region is
 * mapped on a background thread when one of its blocks is used, and the others after it, so that a client that fills
 * one finds the next one mapped. To be given up when the datanode may have ended. Thread safe.
 */
final class LocalRegions {
    private static final Logger LOG = LoggerFactory.getLogger(LocalRegions.class);

    /** What is beyond is left to the tier: each further one costs a copy of all, and keys may be wrong ones. */
    private static final int MOST_REGIONS = 1 << 16;

    private volatile LocalOffer offer;
    private final Object fileLock = new Object();
    private Map<Integer, Path> files = Map.of(); // guarded by fileLock
    private volatile Slots slots = new Slots(new int[0], new Slot[0]);

    /** Uses what a datanode offers; nothing is mapped yet. */
    LocalRegions(LocalOffer offer) {
        this.offer = offer;
    }

    /**
     * Goes on with what the datanode offers over a later connection, if it has not started anew: what is mapped stays,
     * other regions are held to the later offer, and those that could not be mapped are tried again.
     *
     * @return whether the offer is about these regions
     */
    synchronized boolean renew(LocalOffer later) {
        if (!offer.isOfSameStart(later)) {
            return false;
        }
        offer = later;
        slots = slots.withoutFailed();
        return true;
    }

    /** Whether a region can be used. */
    boolean isInUse() {
        for (Slot slot : slots.all) {
            if (slot.region != null) {
                return true;
            }
        }
        return false;
    }

    /** Whether the region of a block is mapped; if not, begins to map it. */
    boolean isMapped(BlockInfo block) {
        Slot slot = slot(block.getLkey());
        return slot != null && slot.region != null;
    }

    /**
     * Copies bytes between a buffer and a block on the calling thread, if the block's region is mapped and the tier
     * does not have to put this transfer and others in order.
     *
     * @param offset in the block, which the transfer does not leave
     * @param buffer its bytes from position to limit are transferred; its position is not changed
     * @return whether it was done; if not, the tier has to do it
     * @throws CrailException StaleBlockException, or DatanodeUnreachableException when the memory vanished
     */
    boolean transfer(boolean isWrite, BlockInfo block, int offset, ByteBuffer buffer) throws CrailException {
        Slot slot = slot(block.getLkey());
        LocalRegion region = slot == null ? null : slot.region;
        if (region == null) {
            return false;
        }
        try {
            return region.transfer(isWrite, block, offset, buffer);
        } catch (DatanodeUnreachableException vanished) {
            slot.failed = true;
            slot.region = null;
            throw vanished;
        }
    }

    private Slot slot(int key) {
        Slot known = slots.find(key);
        return known != null ? known : addSlot(key);
    }

    private synchronized Slot addSlot(int key) {
        Slot added = addSlotIfNew(key);
        if (added == null) {
            return slots.find(key);
        }
        try {
            BackgroundThreads.executor().execute(() -> openAllFrom(key, added));
            return added;
        } catch (RejectedExecutionException e) {
            LOG.debug("region {} is not mapped for now", Integer.toUnsignedString(key), e);
            slots = slots.without(added);
            return null;
        }
    }

    private synchronized Slot addSlotIfNew(int key) {
        if (slots.find(key) != null || slots.all.length >= MOST_REGIONS) {
            return null;
        }
        Slot added = new Slot();
        slots = slots.with(key, added);
        return added;
    }

    /** Threads that map regions wait for the one that reads the directory, and find theirs in what it has read. */
    private Path fileOf(int key) throws IOException {
        synchronized (fileLock) {
            if (!files.containsKey(key)) {
                files = offer.regions();
            }
            Path file = files.get(key);
            if (file == null) {
                throw new IOException(
                        "no file in " + offer.directory() + " is that of region " + Integer.toUnsignedString(key));
            }
            return file;
        }
    }

    /** Maps a region on the calling thread. */
    LocalRegion map(int key) throws IOException {
        return LocalRegion.open(fileOf(key), offer, key);
    }

    private void open(int key, Slot slot) {
        try {
            LocalRegion region = map(key);
            MemoryFaults.raise();
            slot.region = region;
            LOG.debug("region {} in {} is used without the tier", Integer.toUnsignedString(key), offer.directory());
        } catch (IOException | RuntimeException | Error e) { // also as when memory is short
            slot.failed = true;
            LOG.debug("the memory of region {} cannot be used here", Integer.toUnsignedString(key), e);
        }
    }

    /** Maps a region that is used, and then all others that have been seen, for which nobody waits yet. */
    private void openAllFrom(int first, Slot slot) {
        open(first, slot);
        Set<Integer> seen;
        synchronized (fileLock) {
            seen = files.keySet();
        }
        for (int key : seen) {
            Slot added = addSlotIfNew(key);
            if (added != null) {
                open(key, added);
            }
        }
    }

    /** Regions by their keys, which are in order. */
    private static final class Slots {
        private final int[] keys;
        private final Slot[] all;

        Slots(int[] keys, Slot[] all) {
            this.keys = keys;
            this.all = all;
        }

        Slot find(int key) {
            int index = Arrays.binarySearch(keys, key);
            return index < 0 ? null : all[index];
        }

        Slots withoutFailed() {
            return only(slot -> !slot.failed);
        }

        Slots without(Slot left) {
            return only(slot -> slot != left);
        }

        private Slots only(Predicate<Slot> isKept) {
            int[] kept = IntStream.range(0, all.length)
                    .filter(i -> isKept.test(all[i]))
                    .toArray();
            return new Slots(
                    IntStream.of(kept).map(i -> keys[i]).toArray(),
                    IntStream.of(kept).mapToObj(i -> all[i]).toArray(Slot[]::new));
        }

        Slots with(int key, Slot added) {
            int index = -1 - Arrays.binarySearch(keys, key);
            int[] moreKeys = Arrays.copyOf(keys, keys.length + 1);
            Slot[] more = Arrays.copyOf(all, all.length + 1);
            System.arraycopy(keys, index, moreKeys, index + 1, keys.length - index);
            System.arraycopy(all, index, more, index + 1, all.length - index);
            moreKeys[index] = key;
            more[index] = added;
            return new Slots(moreKeys, more);
        }
    }

    /** A region that was asked for; without one while it is not mapped, or cannot be. */
    private static final class Slot {
        private volatile LocalRegion region;
        private volatile boolean failed;
    }
}
