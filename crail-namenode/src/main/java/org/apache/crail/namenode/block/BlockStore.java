/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.rpc.message.DatanodeReport;
import org.apache.crail.rpc.message.HeartbeatRequest;
import org.apache.crail.rpc.message.Region;
import org.apache.crail.rpc.message.RegisterRequest;

/**
 * Hands out blocks and takes them back. A block is free, held by a node, or waits for reclamation; the three always add up
 * to what the known datanodes registered. Not thread safe: the namespace's lock guards it; {@link #locate} also works for
 * optimistic readers, who discard the result if their stamp turns out void.
 */
public final class BlockStore {
    /** No block has this id. */
    public static final long NO_BLOCK = 0;

    /** Epochs: milliseconds of the namenode's start above, allocations of the block below. */
    private static final int EPOCH_SHIFT = 20;

    private static final int RECLAIM_ON_DEMAND = 4096;

    /** Before a block is begun anew for a few parts, which disturbs the neighbours, those are used that are due. */
    private static final int RECLAIM_WITH_PART = 16;

    /** Parts of shared blocks are many to a block, so that the first ones may free none. */
    private static final int MOST_RECLAIMS = 16;

    private final BlockStoreSettings settings;
    private final DatanodeRegistry datanodes;
    private final PendingBlocks pending = new PendingBlocks();
    private final long epochBase;
    private final SharedMedia media;

    /** Makes a store without blocks. */
    public BlockStore(BlockStoreSettings settings) {
        this.settings = settings;
        this.datanodes = new DatanodeRegistry(settings.storageClasses(), settings.partsPerBlock());
        this.epochBase = settings.startMs() << EPOCH_SHIFT;
        this.media = new SharedMedia(settings, datanodes);
    }

    /**
     * Gives out a block: of the wished storage class, else of the others in order; within a class at the wished location,
     * else anywhere.
     *
     * @return its id, or {@link #NO_BLOCK} if no live datanode has a free one
     */
    public long allocate(int storageClass, int locationClass, long nowNs) {
        Datanode datanode = find(Datanode::hasFreeBlock, storageClass, locationClass, nowNs);
        return datanode == null ? NO_BLOCK : datanode.allocate();
    }

    /** As {@link #allocate}, a part of a block that small values share; a whole one if blocks are not shared. */
    public long allocateSmall(int storageClass, int locationClass, long nowNs) {
        if (settings.partsPerBlock() == 0) {
            return allocate(storageClass, locationClass, nowNs);
        }
        reclaimDue(nowNs, RECLAIM_WITH_PART);
        Datanode datanode = find(Datanode::hasFreePart, storageClass, locationClass, nowNs);
        return datanode == null ? NO_BLOCK : datanode.allocatePart();
    }

    /** Whether a block is a part of one that small values share. */
    public static boolean isSmall(long block) {
        return BlockId.isPart(block);
    }

    private Datanode find(Predicate<Datanode> has, int storageClass, int locationClass, long nowNs) {
        Datanode datanode = tryFind(has, storageClass, locationClass, nowNs);
        for (int i = 0; i < MOST_RECLAIMS && datanode == null && reclaimDue(nowNs, RECLAIM_ON_DEMAND) > 0; i++) {
            datanode = tryFind(has, storageClass, locationClass, nowNs);
        }
        return datanode;
    }

    private Datanode tryFind(Predicate<Datanode> has, int storageClass, int locationClass, long nowNs) {
        Datanode datanode = next(has, storageClass, locationClass, nowNs);
        for (int other = 0; datanode == null && other < datanodes.storageClasses(); other++) {
            datanode = other == storageClass ? null : next(has, other, locationClass, nowNs);
        }
        return datanode;
    }

    private Datanode next(Predicate<Datanode> has, int storageClass, int locationClass, long nowNs) {
        return datanodes
                .pool(storageClass)
                .next(has, locationClass, settings.selection(), nowNs, settings.datanodeTimeoutNs());
    }

    /** Takes back a block to which nobody has written or is going to, to be given out again at once. */
    public void putBack(long block) {
        Datanode datanode = datanodes.byIndex(BlockId.datanode(block));
        if (!datanode.isRetired()) {
            free(datanode, block);
        }
    }

    private static void free(Datanode datanode, long block) {
        if (BlockId.isPart(block)) {
            datanode.freePart(BlockId.number(block), BlockId.part(block));
        } else {
            datanode.free(BlockId.number(block));
        }
    }

    /** Takes back a block that clients may still know; it waits for reclamation. */
    public void release(long block, long nowNs) {
        Datanode datanode = datanodes.byIndex(BlockId.datanode(block));
        if (!datanode.isRetired()) {
            countPending(datanode, block, 1);
            pending.add(block, nowNs + settings.reclamationDelayNs());
        }
    }

    /** A shared block counts as held until all its parts have come back. */
    private static void countPending(Datanode datanode, long block, int change) {
        if (!BlockId.isPart(block)) {
            datanode.countPending(change);
        }
    }

    /** Makes blocks free that have waited long enough, at most {@code limit}; returns how many. */
    public int reclaimDue(long nowNs, int limit) {
        int done = 0;
        while (done < limit && pending.hasDue(nowNs)) {
            long block = pending.poll();
            Datanode datanode = datanodes.byIndex(BlockId.datanode(block));
            if (!datanode.isRetired()) {
                countPending(datanode, block, -1);
                free(datanode, block);
            }
            done++;
        }
        return done;
    }

    /** Begins a new epoch of a block, so that tiers that can do so refuse transfers of the former one. */
    public void fence(long block) {
        datanodes.byIndex(BlockId.datanode(block)).fence(BlockId.number(block));
    }

    /** Where a block lies, or null if its datanode is dead or came back without it. */
    public BlockInfo locate(long block, long nowNs) {
        Datanode datanode = datanodes.byIndex(BlockId.datanode(block));
        return datanode != null && datanode.isLive(nowNs, settings.datanodeTimeoutNs())
                ? location(datanode, block)
                : null;
    }

    private BlockInfo location(Datanode datanode, long block) {
        BlockInfo whole = datanode.location(BlockId.number(block), settings.blockSizeBytes(), epochBase);
        return whole == null || !BlockId.isPart(block)
                ? whole
                : whole.part(BlockId.part(block) * settings.smallBlockBytes(), settings.smallBlockBytes());
    }

    /** Whether {@link #locate} would find the block. */
    public boolean isReachable(long block, long nowNs) {
        Datanode datanode = datanodes.byIndex(BlockId.datanode(block));
        return datanode != null && datanode.isLive(nowNs, settings.datanodeTimeoutNs());
    }

    /** Whether a block whose datanode is lost may still be read when that datanode is started again. */
    public boolean mayReturn(long block) {
        Datanode datanode = datanodes.byIndex(BlockId.datanode(block));
        return datanode != null && !datanode.isRetired();
    }

    /** Why a block cannot be reached, for a message: which datanode, and what is wrong with it. */
    public String describeLoss(long block, long nowNs) {
        Datanode datanode = datanodes.byIndex(BlockId.datanode(block));
        if (datanode == null) {
            return "an unknown datanode";
        }
        String address = datanode.info().identity();
        if (datanode.isRetired()) {
            return "datanode " + address
                    + ", which lost its data: it came back empty, or another datanode took its medium over";
        }
        return "datanode " + address
                + (datanode.isStopped()
                        ? ", which was stopped and has been away for "
                        : ", which has sent no heartbeat for ")
                + TimeUnit.NANOSECONDS.toMillis(datanode.heartbeatAgeNs(nowNs)) + " ms";
    }

    /**
     * Adds regions of a datanode. Known ones change nothing but the way they are reached; a new incarnation retires the
     * former one, unless that is live and both are on one medium: then there are two, and the new one is refused.
     *
     * @return the blocks that the datanode has registered in all
     */
    public long register(RegisterRequest request, long nowNs) throws CrailException {
        DataNodeInfo info = request.datanode();
        datanodes.check(info);
        Datanode known = datanodes.find(info);
        boolean sameLife = known != null && known.incarnation() == request.incarnation();
        if (sameLife && !known.info().equals(info)) {
            throw new InvalidRequestException("cannot register datanode " + info + ": it is registered as "
                    + known.info() + "; to change it, restart it with a new incarnation");
        }
        RegionPlan plan = RegionPlan.of(
                info.identity(),
                settings.blockSizeBytes(),
                sameLife ? known.regions() : Datanode.NO_REGIONS,
                request.regions());
        List<Datanode> displaced = media.displacedBy(request, sameLife ? known : null, nowNs);
        if (known != null && !sameLife) {
            datanodes.retire(known, "came back without its data");
            displaced.remove(known);
        }
        for (Datanode former : displaced) {
            datanodes.retire(former, "does not serve any more, and its medium is now offered by " + info.identity());
        }
        Datanode datanode = sameLife ? known : datanodes.add(info, request.incarnation(), request.medium());
        if (!displaced.isEmpty()
                || (!sameLife && known != null && !known.medium().isEmpty())) {
            datanode.holdBack();
        }
        plan.applyTo(datanode);
        if (datanode.isHeldBack()) {
            holdBack(datanode, plan.additions(), nowNs);
        }
        datanode.heartbeat(nowNs);
        return datanode.blocks();
    }

    /** Lets new blocks wait as long as clients may use locations of what was there before. */
    private void holdBack(Datanode datanode, List<Region> added, long nowNs) {
        long blocks = added.stream()
                .mapToLong(region -> region.length() / settings.blockSizeBytes())
                .sum();
        for (long i = 0; i < blocks; i++) {
            release(datanode.allocate(), nowNs);
        }
    }

    /**
     * Notes that a datanode lives, or stops.
     *
     * @return its free blocks
     */
    public long heartbeat(HeartbeatRequest request, long nowNs) throws CrailException {
        Datanode datanode = datanodes.require(request.datanode(), request.incarnation());
        if (request.last()) {
            datanode.stop(nowNs);
        } else {
            datanode.heartbeat(nowNs);
        }
        return datanode.freeBlocks();
    }

    /** Tells the operator of datanodes that have fallen silent or are heard again; to be called now and then. */
    public void tellLiveness(long nowNs) {
        datanodes.tellLiveness(nowNs, settings.datanodeTimeoutNs());
    }

    /** Describes the datanodes, in the order of registration. */
    public List<DatanodeReport> report(long nowNs) {
        List<DatanodeReport> reports = new ArrayList<>();
        for (Datanode datanode : datanodes.all()) {
            reports.add(new DatanodeReport(
                    datanode.info(),
                    datanode.isLive(nowNs, settings.datanodeTimeoutNs()),
                    TimeUnit.NANOSECONDS.toMillis(datanode.heartbeatAgeNs(nowNs)),
                    datanode.blocks(),
                    datanode.freeBlocks(),
                    datanode.pendingBlocks()));
        }
        return reports;
    }

    /** Blocks in free lists, of live and dead datanodes. */
    public long freeBlocks() {
        return datanodes.all().stream().mapToLong(Datanode::freeBlocks).sum();
    }

    /** Blocks of all known datanodes. */
    public long registeredBlocks() {
        return datanodes.all().stream().mapToLong(Datanode::blocks).sum();
    }

    /** Blocks that wait for reclamation. */
    public long pendingBlocks() {
        return datanodes.all().stream().mapToLong(Datanode::pendingBlocks).sum();
    }

    /** Begins a count of all blocks. */
    public BlockAudit audit() {
        return new BlockAudit(datanodes, pending);
    }
}
