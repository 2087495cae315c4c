/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.metadata.Region;

/**
 * Sees to it that no byte of a medium which several datanodes can reach belongs to two of them. Not thread safe;
 * guarded by the namespace's lock.
 */
final class SharedMedia {
    private final BlockStoreSettings settings;
    private final DatanodeRegistry datanodes;

    SharedMedia(BlockStoreSettings settings, DatanodeRegistry datanodes) {
        this.settings = settings;
        this.datanodes = datanodes;
    }

    /**
     * The lives of datanodes that held parts of what is offered and are not heard any more, among them a former one of
     * the same address and locator.
     *
     * @param present the life that registers, or null if it begins with this offer
     * @throws InvalidRequestException if one of them is live
     */
    List<DatanodeLife> displacedBy(RegionOffer offer, DatanodeLife present) throws InvalidRequestException {
        List<DatanodeLife> displaced = new ArrayList<>();
        if (offer.medium().isEmpty()) {
            return displaced;
        }
        NavigableMap<Long, Region> offered = new TreeMap<>();
        for (Region region : offer.regions()) {
            offered.put(region.address() + region.length(), region);
        }
        for (DatanodeLife other : datanodes.all()) {
            if (other != present && other.medium().equals(offer.medium())) {
                checkAgainst(offer, offered, other, displaced);
            }
        }
        return displaced;
    }

    private void checkAgainst(
            RegionOffer offer, NavigableMap<Long, Region> offered, DatanodeLife other, List<DatanodeLife> displaced)
            throws InvalidRequestException {
        for (BlockRegion taken : other.regions()) {
            Region region = overlapping(offered, taken);
            if (region != null && other.isLive()) {
                throw refused(offer, region, other, taken);
            }
            if (region != null) {
                displaced.add(other);
                return;
            }
        }
    }

    /**
     * The first of the offered regions, by their ends, that ends behind the begin of a known one, if it begins before
     * its end.
     */
    private Region overlapping(NavigableMap<Long, Region> offered, BlockRegion known) {
        var first = offered.higherEntry(begin(known.lba(), known.address()));
        long end = known.address() + known.lengthBytes(settings.blockSizeBytes());
        return first != null && begin(first.getValue().lba(), first.getValue().address()) < end
                ? first.getValue()
                : null;
    }

    /** Where a datanode's range begins: in the block before its first region it keeps what tells whose the range is. */
    private long begin(long lba, long address) {
        return lba == 0 ? address - settings.blockSizeBytes() : address;
    }

    private InvalidRequestException refused(RegionOffer offer, Region region, DatanodeLife other, BlockRegion taken) {
        return new InvalidRequestException("cannot register bytes " + region.address() + " to "
                + (region.address() + region.length()) + " of " + offer.medium() + " for datanode "
                + offer.datanode().identity() + ": datanode " + other.info().identity() + " offers bytes "
                + taken.address() + " to " + (taken.address() + taken.lengthBytes(settings.blockSizeBytes()))
                + " of it; give each datanode a range of its own, or stop the other one; one that was killed holds its range"
                + " until it has been silent for "
                + TimeUnit.NANOSECONDS.toMillis(settings.datanodeTimeoutNs()) + " ms");
    }
}
