/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.rpc.message.Region;

/**
 * What a registration will change, found out before anything is changed, so that a wrong region leaves everything as it
 * was. Confined to one call.
 */
final class RegionPlan {
    /** More blocks than this on one datanode are taken for a mistake, and so are more than fit a part of the heap. */
    private static final long MAX_BLOCKS =
            Math.min(1L << 28, Runtime.getRuntime().maxMemory() / 32);

    private static final String TOO_MANY = "a datanode may offer at most " + MAX_BLOCKS
            + " blocks to a namenode with this heap; raise crail.blocksize or the namenode's -Xmx";

    private final String datanode;
    private final int blockSizeBytes;
    private final List<Region> additions = new ArrayList<>();
    private final List<Region> relocations = new ArrayList<>();
    private final List<Integer> relocatedPositions = new ArrayList<>();

    private RegionPlan(String datanode, int blockSizeBytes) {
        this.datanode = datanode;
        this.blockSizeBytes = blockSizeBytes;
    }

    /**
     * Compares what is offered with what is known.
     *
     * @throws InvalidRequestException if a region is ill-formed or overlaps another
     */
    static RegionPlan of(String datanode, int blockSizeBytes, BlockRegion[] known, List<Region> offered)
            throws InvalidRequestException {
        RegionPlan plan = new RegionPlan(datanode, blockSizeBytes);
        for (Region region : offered) {
            plan.checkForm(region);
            plan.place(region, known);
        }
        plan.checkOverlaps(known);
        return plan;
    }

    /** The regions that are new. */
    List<Region> additions() {
        return additions;
    }

    void applyTo(Datanode target) {
        for (int i = 0; i < relocations.size(); i++) {
            target.relocateRegion(relocatedPositions.get(i), relocations.get(i));
        }
        for (Region region : additions) {
            target.addRegion(region, (int) blocksOf(region));
        }
    }

    private long blocksOf(Region region) {
        return region.length() / blockSizeBytes;
    }

    private void checkForm(Region region) throws InvalidRequestException {
        if (region.lba() < 0 || region.lba() % blockSizeBytes != 0) {
            throw refused(
                    region, "its lba must be a multiple of crail.blocksize, " + blockSizeBytes + ", and not negative");
        }
        if (region.length() < blockSizeBytes) {
            throw refused(region, "it must hold at least one block of " + blockSizeBytes + " bytes");
        }
        if (region.lba() + region.length() < 0 || blocksOf(region) > MAX_BLOCKS) {
            throw refused(region, TOO_MANY);
        }
    }

    private void place(Region region, BlockRegion[] known) throws InvalidRequestException {
        for (int i = 0; i < known.length; i++) {
            if (known[i].lba() == region.lba()) {
                if (known[i].blocks() != blocksOf(region)) {
                    throw refused(
                            region,
                            "the region at this lba is known with " + known[i].lengthBytes(blockSizeBytes) + " bytes");
                }
                relocations.add(region);
                relocatedPositions.add(i);
                return;
            }
        }
        additions.add(region);
    }

    private void checkOverlaps(BlockRegion[] known) throws InvalidRequestException {
        List<Extent> extents = new ArrayList<>();
        long blocks = 0;
        for (BlockRegion region : known) {
            extents.add(new Extent(region.lba(), region.lba() + region.lengthBytes(blockSizeBytes), null));
            blocks += region.blocks();
        }
        for (Region region : additions) {
            extents.add(new Extent(region.lba(), region.lba() + blocksOf(region) * blockSizeBytes, region));
            blocks += blocksOf(region);
            if (blocks > MAX_BLOCKS) {
                throw refused(region, TOO_MANY);
            }
        }
        extents.sort(Comparator.comparingLong(Extent::begin));
        for (int i = 1; i < extents.size(); i++) {
            if (extents.get(i).begin() < extents.get(i - 1).end()) {
                Region newer = extents.get(i).region() != null
                        ? extents.get(i).region()
                        : extents.get(i - 1).region();
                throw refused(newer, "it overlaps another region of the datanode; regions must lie apart");
            }
        }
    }

    private InvalidRequestException refused(Region region, String reason) {
        return new InvalidRequestException(
                "cannot register region " + region.lba() + "+" + region.length() + " of " + datanode + ": " + reason);
    }

    private record Extent(long begin, long end, Region region) {}
}
