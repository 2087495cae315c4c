/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.rpc.message.Region;
import org.apache.crail.rpc.message.RegisterRequest;

/**
 * Sees to it that no byte of a medium which several datanodes can reach belongs to two of them. Not thread safe; guarded by
 * the namespace's lock.
 */
final class SharedMedia {
    private final BlockStoreSettings settings;
    private final DatanodeRegistry datanodes;

    SharedMedia(BlockStoreSettings settings, DatanodeRegistry datanodes) {
        this.settings = settings;
        this.datanodes = datanodes;
    }

    /**
     * The lives of datanodes that held parts of what is offered and are not heard any more, among them a former one of the
     * same address and locator.
     *
     * @param present the life that registers, or null if it begins with this request
     * @throws InvalidRequestException if one of them is live
     */
    List<Datanode> displacedBy(RegisterRequest request, Datanode present) throws InvalidRequestException {
        List<Datanode> displaced = new ArrayList<>();
        if (request.medium().isEmpty()) {
            return displaced;
        }
        for (Datanode other : datanodes.all()) {
            if (other == present || !other.medium().equals(request.medium())) {
                continue;
            }
            for (Region region : request.regions()) {
                BlockRegion taken = overlapping(other, region);
                if (taken != null && other.isLive()) {
                    throw refused(request, region, other, taken);
                }
                if (taken != null && !displaced.contains(other)) {
                    displaced.add(other);
                }
            }
        }
        return displaced;
    }

    private BlockRegion overlapping(Datanode other, Region offered) {
        for (BlockRegion region : other.regions()) {
            long end = region.address() + region.lengthBytes(settings.blockSizeBytes());
            if (begin(offered.lba(), offered.address()) < end
                    && begin(region.lba(), region.address()) < offered.address() + offered.length()) {
                return region;
            }
        }
        return null;
    }

    /** Where a datanode's range begins: in the block before its first region it keeps what tells whose the range is. */
    private long begin(long lba, long address) {
        return lba == 0 ? address - settings.blockSizeBytes() : address;
    }

    private InvalidRequestException refused(RegisterRequest request, Region region, Datanode other, BlockRegion taken) {
        return new InvalidRequestException("cannot register bytes " + region.address() + " to "
                + (region.address() + region.length()) + " of " + request.medium() + " for datanode "
                + request.datanode().identity() + ": datanode " + other.info().identity() + " offers bytes "
                + taken.address() + " to " + (taken.address() + taken.lengthBytes(settings.blockSizeBytes()))
                + " of it; give each datanode a range of its own, or stop the other one; one that was killed holds its range"
                + " until it has been silent for "
                + TimeUnit.NANOSECONDS.toMillis(settings.datanodeTimeoutNs()) + " ms");
    }
}
