/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import java.util.Arrays;
import java.util.function.IntConsumer;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.rpc.message.Region;

/**
 * One life of a datanode and the blocks it registered. When the datanode comes back without its data this entry is retired
 * and another begins. Not thread safe; guarded by the namespace's lock, {@link #location} also works for optimistic readers.
 */
final class Datanode {
    static final BlockRegion[] NO_REGIONS = {};

    private final int index;
    private final DataNodeInfo info;
    private final long incarnation;
    private final String medium;
    private final BlockStack free = new BlockStack();
    private final SharedBlocks shared;
    private BlockRegion[] regions = NO_REGIONS;
    private int blocks;
    private int pending;
    private boolean heldBack;
    private boolean retired;
    private boolean silent;
    private boolean stopped;
    private long heartbeatNs;

    /**
     * Begins a life.
     *
     * @param medium names what its regions lie on, or empty
     * @param partsPerBlock how many small values share a block
     */
    Datanode(int index, DataNodeInfo info, long incarnation, String medium, int partsPerBlock) {
        this.index = index;
        this.info = info;
        this.incarnation = incarnation;
        this.medium = medium;
        this.shared = new SharedBlocks(partsPerBlock);
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

    /** From now on, what it adds must wait for reclamation first: clients may still know these bytes from a former life. */
    void holdBack() {
        heldBack = true;
    }

    boolean isHeldBack() {
        return heldBack;
    }

    BlockRegion[] regions() {
        return regions;
    }

    int blocks() {
        return blocks;
    }

    int freeBlocks() {
        return free.size();
    }

    boolean hasFreeBlock() {
        return free.size() > 0;
    }

    boolean hasFreePart() {
        return free.size() > 0 || shared.hasRoom();
    }

    SharedBlocks shared() {
        return shared;
    }

    int pendingBlocks() {
        return pending;
    }

    int usedBlocks() {
        return blocks - free.size() - pending;
    }

    boolean isRetired() {
        return retired;
    }

    /** Ends this life: nothing of it will be given out again, and what remains is the address for error messages. */
    void retire() {
        retired = true;
        regions = NO_REGIONS;
        free.clear();
        shared.clear();
        blocks = 0;
        pending = 0;
    }

    void heartbeat(long nowNs) {
        heartbeatNs = nowNs;
        stopped = false;
    }

    /** It said that this was its last heartbeat: its blocks cannot be reached until it is heard again. */
    void stop(long nowNs) {
        heartbeatNs = nowNs;
        stopped = true;
    }

    boolean isStopped() {
        return stopped;
    }

    long heartbeatAgeNs(long nowNs) {
        return nowNs - heartbeatNs;
    }

    /** Whether its blocks can be reached, by all that the namenode knows. */
    boolean isLive(long nowNs, long timeoutNs) {
        return !retired && !stopped && nowNs - heartbeatNs <= timeoutNs;
    }

    /** Notes whether it lives; answers whether that is news. */
    boolean noteLiveness(boolean live) {
        boolean news = silent == live;
        silent = !live;
        return news;
    }

    void addRegion(Region region, int regionBlocks) {
        BlockRegion added = BlockRegion.create(region.lba(), region.address(), region.key(), blocks, regionBlocks);
        BlockRegion[] grown = Arrays.copyOf(regions, regions.length + 1);
        grown[regions.length] = added;
        free.addRange(blocks, blocks + regionBlocks);
        blocks += regionBlocks;
        regions = grown;
    }

    void relocateRegion(int position, Region region) {
        BlockRegion[] changed = regions.clone();
        changed[position] = changed[position].relocated(region.address(), region.key());
        regions = changed;
    }

    /** Takes a free block, in a new epoch; there must be one. */
    long allocate() {
        int number = free.pop();
        fence(number);
        return BlockId.of(index, number);
    }

    /** Takes a part of a shared block; there must be one, or a free block. */
    long allocatePart() {
        SharedBlock block = shared.takeFrom(() -> hasFreeBlock() ? BlockId.number(allocate()) : -1, this::fence);
        return BlockId.ofPart(index, block.number(), block.take());
    }

    /** Takes a part of a shared block back; the block is free with its last one. */
    void freePart(int number, int part) {
        if (shared.give(number, part)) {
            free(number);
        }
    }

    /** Begins a new epoch of a block. */
    void fence(int number) {
        BlockRegion region = BlockRegion.find(regions, number);
        if (region != null) {
            region.countAllocation(number);
        }
    }

    void free(int number) {
        free.push(number);
    }

    void countPending(int change) {
        pending += change;
    }

    void forEachFree(IntConsumer consumer) {
        free.forEach(consumer);
    }

    /** Where a block lies, or null if there is no such block. */
    BlockInfo location(int number, int blockSizeBytes, long epochBase) {
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
}
