/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.Region;

/**
 * One life of a datanode and the blocks it registered. When another life takes its place, or it is forgotten, this
 * entry is retired and stays for as long as somebody holds one of its blocks. Guarded by the namespace's lock, but for
 * its state and its heartbeat, which any thread may look at and change; {@link #location} also works for optimistic
 * readers.
 *
 * <pre>
 *            heartbeat   sign-off   no heartbeat for too long   another life, or forgotten
 * LIVE       LIVE        STOPPED    SILENT                      RETIRED
 * SILENT     LIVE        STOPPED    SILENT                      RETIRED
 * STOPPED    LIVE        STOPPED    STOPPED                     RETIRED
 * RETIRED    RETIRED     RETIRED    RETIRED                     RETIRED
 * </pre>
 */
final class DatanodeLife {
    /** How many epochs a life has, from its first one on. */
    static final long EPOCHS = Integer.MAX_VALUE;

    static final BlockRegion[] NO_REGIONS = {};

    private final int index;
    private final DataNodeInfo info;
    private final long incarnation;
    private final long epochBase;
    private final FreeBlocks free = new FreeBlocks();
    private final SharedBlocks shared;
    private final NavigableMap<Long, Integer> placesByLba = new TreeMap<>();
    private String medium;
    private List<Seat> seats = List.of();
    private boolean toldBlock;
    private boolean toldPart;
    private BlockRegion[] regions = NO_REGIONS;
    private int blocks;
    private int pending;
    private int pendingParts;
    private long references;
    private boolean heldBack;

    /** Told of changes while all blocks are counted; null else. */
    private AuditedLife audit;

    private State told = State.LIVE;
    private volatile State state = State.LIVE;
    private volatile long heartbeatNs;

    /**
     * Begins a life.
     *
     * @param medium names what its regions lie on, or empty
     * @param epochBase its blocks get epochs above this one
     * @param partsPerBlock how many small nodes share a block
     * @param runningNs when it was heard
     */
    DatanodeLife(
            int index,
            DataNodeInfo info,
            long incarnation,
            String medium,
            long epochBase,
            int partsPerBlock,
            long runningNs) {
        this.index = index;
        this.info = info;
        this.incarnation = incarnation;
        this.medium = medium;
        this.epochBase = epochBase;
        this.shared = new SharedBlocks(partsPerBlock);
        this.heartbeatNs = runningNs;
    }

    int index() {
        return index;
    }

    DataNodeInfo info() {
        return info;
    }

    long incarnation() {
        return incarnation;
    }

    String medium() {
        return medium;
    }

    /** The highest epoch that its blocks may get. */
    long epochLimit() {
        return epochBase + EPOCHS;
    }

    /**
     * From now on, what it adds must wait for reclamation first: clients may still know these bytes from a former life.
     */
    void holdBack() {
        heldBack = true;
    }

    boolean isHeldBack() {
        return heldBack;
    }

    /** Takes a place in the rings from which datanodes are chosen. */
    void seat(List<Seat> taken) {
        seats = taken;
    }

    BlockRegion[] regions() {
        return regions;
    }

    /** The position among {@link #regions} of the region that begins last at or before an lba, or null. */
    Integer placeAtOrBefore(long lba) {
        var entry = placesByLba.floorEntry(lba);
        return entry == null ? null : entry.getValue();
    }

    int blocks() {
        return blocks;
    }

    int freeBlocks() {
        return free.size();
    }

    private boolean hasFreeBlock() {
        return free.size() > 0;
    }

    private boolean hasFreePart() {
        return free.size() > 0 || shared.hasRoom();
    }

    /** Tells the rings when it has become full, or is not any more. */
    private void tellSeats() {
        boolean hasBlock = hasFreeBlock();
        boolean hasPart = hasFreePart();
        if (hasBlock != toldBlock || hasPart != toldPart) {
            toldBlock = hasBlock;
            toldPart = hasPart;
            seats.forEach(seat -> seat.ring.mark(seat.place, hasBlock, hasPart));
        }
    }

    SharedBlocks shared() {
        return shared;
    }

    int pendingBlocks() {
        return pending;
    }

    /** Parts of shared blocks that wait. */
    int pendingParts() {
        return pendingParts;
    }

    boolean hasPending() {
        return pending > 0 || pendingParts > 0;
    }

    int usedBlocks() {
        return blocks - free.size() - pending;
    }

    boolean isRetired() {
        return state == State.RETIRED;
    }

    boolean isStopped() {
        return state == State.STOPPED;
    }

    /** Whether its blocks can be reached, by all that the namenode knows. */
    boolean isLive() {
        return state == State.LIVE;
    }

    /** Ends this life: nothing of it will be given out again, and what remains is the address for error messages. */
    synchronized void retire() {
        state = State.RETIRED;
        seats.forEach(seat -> seat.ring.remove(seat.place));
        seats = List.of();
        regions = NO_REGIONS;
        placesByLba.clear();
        free.clear();
        shared.clear();
        medium = "";
        blocks = 0;
        pending = 0;
        pendingParts = 0;
        if (audit != null) {
            audit.end();
        }
    }

    /** Sets who is told of changes; null for nobody. */
    void audit(AuditedLife listener) {
        audit = listener;
    }

    /** A block, or a part of one, is going to leave a node, or the queue of those that wait. */
    void tellLeaving(long block, BlockPlace place) {
        if (audit != null) {
            audit.leaveReference(block, place);
        }
    }

    private void tellLeaving(int number, BlockPlace place) {
        if (audit != null) {
            audit.leave(number, place);
        }
    }

    synchronized void heartbeat(long runningNs) {
        heartbeatNs = runningNs;
        state = isRetired() ? State.RETIRED : State.LIVE;
    }

    /** It said that this was its last heartbeat: its blocks cannot be reached until it is heard again. */
    synchronized void stop(long runningNs) {
        heartbeatNs = runningNs;
        state = isRetired() ? State.RETIRED : State.STOPPED;
    }

    /** Judges it by the time since its last heartbeat. */
    synchronized void judge(long runningNs, long timeoutNs) {
        if (isLive() && heartbeatAgeNs(runningNs) > timeoutNs) {
            state = State.SILENT;
        }
    }

    long heartbeatAgeNs(long runningNs) {
        return runningNs - heartbeatNs;
    }

    /** Whether it has fallen silent, has stopped or is heard again since this was asked the last time. */
    boolean hasNews() {
        State now = state;
        boolean news = (now == State.LIVE) != (told == State.LIVE);
        told = now;
        return news;
    }

    /** Adds regions; their blocks are free unless they are held back. Answers the blocks of those that are. */
    List<BlockRange> addRegions(List<Region> added, int blockSizeBytes, boolean heldBack) {
        List<BlockRange> held = new ArrayList<>();
        BlockRegion[] grown = Arrays.copyOf(regions, regions.length + added.size());
        int place = regions.length;
        for (Region region : added) {
            int count = (int) (region.length() / blockSizeBytes);
            BlockRange range = new BlockRange(blocks, blocks + count);
            grown[place] = BlockRegion.create(region.lba(), region.address(), region.key(), blocks, count);
            placesByLba.put(region.lba(), place++);
            blocks += count;
            if (heldBack) {
                pending += count;
                held.add(range);
            } else {
                free.addRange(range);
            }
        }
        regions = grown;
        tellSeats();
        return held;
    }

    /** Makes blocks free that were held back. */
    void releaseHeld(BlockRange range) {
        if (!isRetired()) {
            if (audit != null) {
                audit.leave(range, BlockPlace.WAITING);
            }
            pending -= range.count();
            free.addRange(range);
            tellSeats();
        }
    }

    void relocateRegions(List<Integer> places, List<Region> moved) {
        BlockRegion[] changed = regions.clone();
        for (int i = 0; i < moved.size(); i++) {
            Region region = moved.get(i);
            changed[places.get(i)] = changed[places.get(i)].relocated(region.address(), region.key());
        }
        regions = changed;
    }

    /** Takes a free block, in a new epoch; there must be one. */
    long allocate() {
        int number = takeFree();
        references++;
        tellSeats();
        return BlockId.of(index, number);
    }

    private int takeFree() {
        int number = free.pop();
        tellLeaving(number, BlockPlace.FREE);
        fence(number);
        return number;
    }

    /** Takes a part of a shared block; there must be one, or a free block. */
    long allocatePart() {
        SharedBlock block = shared.takeFrom(() -> hasFreeBlock() ? takeFree() : -1, this::fence);
        references++;
        long part = BlockId.ofPart(index, block.number(), block.take());
        if (audit != null) {
            audit.takePart(part);
        }
        tellSeats();
        return part;
    }

    /** Begins a new epoch of a block. */
    void fence(int number) {
        BlockRegion region = BlockRegion.find(regions, number);
        if (region != null) {
            region.countAllocation(number);
        }
    }

    /**
     * Takes a block, or a part of one, back, which nobody holds any more; a shared block is free with its last part.
     */
    void free(long block) {
        references--;
        int number = BlockId.number(block);
        boolean isPart = BlockId.isPart(block);
        if (!isPart || shared.give(number, BlockId.part(block))) {
            if (isPart) {
                tellLeaving(number, BlockPlace.HELD);
            }
            free.push(number);
        }
        tellSeats();
    }

    /** Takes back what is lost with this life, which has been retired. */
    void drop() {
        references--;
    }

    /** How many blocks and parts of blocks are with nodes, or wait for reclamation. */
    long references() {
        return references;
    }

    /** A shared block counts as held until all its parts have come back. */
    void countPending(long block, int change) {
        if (BlockId.isPart(block)) {
            pendingParts += change;
        } else {
            pending += change;
        }
    }

    /** See {@link FreeBlocks#walk()}. */
    FreeBlocks.Walk walkFree() {
        return free.walk();
    }

    /** Where a block lies, or null if there is no such block. */
    BlockInfo location(int number, int blockSizeBytes) {
        BlockRegion region = BlockRegion.find(regions, number);
        return region == null
                ? null
                : new BlockInfo(
                        info,
                        region.lbaOf(number, blockSizeBytes),
                        region.addressOf(number, blockSizeBytes),
                        blockSizeBytes,
                        region.key(),
                        epochBase + region.allocationsOf(number));
    }

    /** A place in a ring. Immutable. */
    record Seat(DatanodeRing ring, int place) {}

    private enum State {
        LIVE,
        SILENT,
        STOPPED,
        RETIRED
    }
}
