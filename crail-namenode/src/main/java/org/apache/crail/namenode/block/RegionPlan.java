/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.metadata.Region;

/**
 * What a registration will change, found out before anything is changed, so that a wrong region leaves everything as it
 * was. Confined to one call.
 */
final class RegionPlan {
    private final String datanode;
    private final int blockSizeBytes;
    private final DatanodeLife known;
    private final RegistrationRoom room;
    private final NavigableMap<Long, Region> additions = new TreeMap<>();
    private final List<Region> relocations = new ArrayList<>();
    private final List<Integer> relocatedPlaces = new ArrayList<>();

    private RegionPlan(String datanode, int blockSizeBytes, DatanodeLife known, RegistrationRoom room) {
        this.datanode = datanode;
        this.blockSizeBytes = blockSizeBytes;
        this.known = known;
        this.room = room;
    }

    /**
     * Compares what is offered with what is known.
     *
     * @param known the life that offers it, or null if it begins now
     * @param room how much it may add
     * @throws InvalidRequestException if a region is ill-formed or overlaps another, or there are too many
     */
    static RegionPlan of(
            String datanode, int blockSizeBytes, DatanodeLife known, RegistrationRoom room, List<Region> offered)
            throws InvalidRequestException {
        RegionPlan plan = new RegionPlan(datanode, blockSizeBytes, known, room);
        for (Region region : offered) {
            plan.checkForm(region);
            plan.place(region);
        }
        plan.checkNumbers();
        return plan;
    }

    /** Answers the blocks that have been added, if they are to be held back. */
    List<BlockRange> applyTo(DatanodeLife target, boolean heldBack) {
        if (!relocations.isEmpty()) {
            target.relocateRegions(relocatedPlaces, relocations);
        }
        return target.addRegions(List.copyOf(additions.values()), blockSizeBytes, heldBack);
    }

    private long blocksOf(Region region) {
        return region.length() / blockSizeBytes;
    }

    private long endOf(Region region) {
        return region.lba() + blocksOf(region) * blockSizeBytes;
    }

    private void checkForm(Region region) throws InvalidRequestException {
        if (region.lba() < 0 || region.lba() % blockSizeBytes != 0) {
            throw refused(
                    region, "its lba must be a multiple of crail.blocksize, " + blockSizeBytes + ", and not negative");
        }
        if (region.length() < blockSizeBytes) {
            throw refused(region, "it must hold at least one block of " + blockSizeBytes + " bytes");
        }
        if (region.lba() + region.length() < 0 || blocksOf(region) > room.blocks()) {
            throw refused(region, room.tooManyBlocks());
        }
    }

    private void place(Region region) throws InvalidRequestException {
        Integer place = known == null ? null : known.placeAtOrBefore(region.lba());
        BlockRegion before = place == null ? null : known.regions()[place];
        if (before != null && before.lba() == region.lba()) {
            if (before.blocks() != blocksOf(region)) {
                throw refused(
                        region,
                        "the region at this lba is known with " + before.lengthBytes(blockSizeBytes) + " bytes");
            }
            relocations.add(region);
            relocatedPlaces.add(place);
            return;
        }
        checkOverlaps(region, before);
        additions.put(region.lba(), region);
    }

    private void checkOverlaps(Region region, BlockRegion before) throws InvalidRequestException {
        boolean overlaps = before != null && before.lba() + before.lengthBytes(blockSizeBytes) > region.lba();
        Integer last = known == null ? null : known.placeAtOrBefore(endOf(region) - 1);
        overlaps |= last != null && known.regions()[last] != before; // it begins behind this one's begin
        Map.Entry<Long, Region> added = additions.floorEntry(endOf(region) - 1);
        overlaps |= added != null && endOf(added.getValue()) > region.lba();
        if (overlaps) {
            throw refused(region, "it overlaps another region of the datanode; regions must lie apart");
        }
    }

    private void checkNumbers() throws InvalidRequestException {
        long blocks = 0;
        for (Region region : additions.values()) {
            blocks += blocksOf(region);
            if (blocks > room.blocks()) {
                throw refused(region, room.tooManyBlocks());
            }
        }
        if (additions.size() > room.regions()) {
            throw refused(additions.lastEntry().getValue(), room.tooManyRegions());
        }
    }

    private InvalidRequestException refused(Region region, String reason) {
        return new InvalidRequestException(
                "cannot register region " + region.lba() + "+" + region.length() + " of " + datanode + ": " + reason);
    }
}
