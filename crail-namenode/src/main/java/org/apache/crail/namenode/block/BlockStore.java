/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeNotRegisteredException;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;

/**
 * Hands out blocks and takes them back. A block is free, held by a node, or waits for reclamation; the three always add
 * up to what the known datanodes registered. Not thread safe: the namespace's lock guards it; {@link #locate} also
 * works for optimistic readers, who discard the result if their stamp turns out void.
 */
public final class BlockStore {
    /** No block has this id. */
    public static final long NO_BLOCK = 0;

    private static final int RECLAIM_ON_DEMAND = 4096;

    /** Before a block is begun anew for a few parts, which disturbs the neighbours, those are used that are due. */
    private static final int RECLAIM_WITH_PART = 16;

    /** Parts of shared blocks are many to a block, so that the first ones may free none. */
    private static final int MOST_RECLAIMS = 16;

    private final BlockStoreSettings settings;
    private final DatanodeRegistry datanodes;
    private final PendingBlocks pending = new PendingBlocks();
    private final HeldBlocks held = new HeldBlocks();
    private final RunningTime running;
    private final Registrations registrations;

    /** Makes a store without blocks. */
    public BlockStore(BlockStoreSettings settings, long nowNs) {
        this.settings = settings;
        this.datanodes = new DatanodeRegistry(settings.storageClasses(), settings.partsPerBlock(), settings.limits());
        this.running = new RunningTime(nowNs, settings.mostSilenceBetweenLooksNs());
        this.registrations = new Registrations(settings, datanodes, held);
    }

    /**
     * Gives out a block: of the wished storage class, else of the others in order; within a class at the wished
     * location, else anywhere.
     *
     * @return its id, or {@link #NO_BLOCK} if no live datanode has a free one
     */
    public long allocate(int storageClass, int locationClass, long nowNs) {
        return allocate(Wanted.BLOCK, storageClass, locationClass, null, nowNs);
    }

    /** As {@link #allocate}, a block of the same size as one on another datanode, to which nobody has written. */
    public long allocateElsewhere(long block, int storageClass, int locationClass, long nowNs) {
        Wanted wanted = isSmall(block) ? Wanted.PART : Wanted.BLOCK;
        DatanodeLife avoided = datanodes.byIndex(BlockId.datanode(block));
        return allocate(wanted, storageClass, locationClass, avoided, nowNs);
    }

    /** As {@link #allocate}, a part of a block that small nodes share; a whole one if blocks are not shared. */
    public long allocateSmall(int storageClass, int locationClass, long nowNs) {
        if (settings.partsPerBlock() == 0) {
            return allocate(storageClass, locationClass, nowNs);
        }
        reclaimDue(nowNs, RECLAIM_WITH_PART);
        return allocate(Wanted.PART, storageClass, locationClass, null, nowNs);
    }

    private long allocate(Wanted wanted, int storageClass, int locationClass, DatanodeLife avoided, long nowNs) {
        DatanodeLife datanode = tryFind(wanted, storageClass, locationClass, avoided);
        for (int i = 0; i < MOST_RECLAIMS && datanode == null && reclaimDue(nowNs, RECLAIM_ON_DEMAND) > 0; i++) {
            datanode = tryFind(wanted, storageClass, locationClass, avoided);
        }
        if (datanode == null) {
            return NO_BLOCK;
        }
        return wanted == Wanted.PART ? datanode.allocatePart() : datanode.allocate();
    }

    /** Whether a block is a part of one that small nodes share. */
    public static boolean isSmall(long block) {
        return BlockId.isPart(block);
    }

    private DatanodeLife tryFind(Wanted wanted, int storageClass, int locationClass, DatanodeLife avoided) {
        DatanodeLife datanode = next(wanted, storageClass, locationClass, avoided);
        for (int other = 0; datanode == null && other < datanodes.storageClasses(); other++) {
            datanode = other == storageClass ? null : next(wanted, other, locationClass, avoided);
        }
        return datanode;
    }

    private DatanodeLife next(Wanted wanted, int storageClass, int locationClass, DatanodeLife avoided) {
        return datanodes.pool(storageClass).next(wanted, locationClass, avoided, settings.selection());
    }

    /** Takes back a block to which nobody has written or is going to, to be given out again at once. */
    public void putBack(long block) {
        DatanodeLife datanode = datanodes.byIndex(BlockId.datanode(block));
        datanode.tellLeaving(block, BlockPlace.HELD);
        free(datanode, block);
    }

    private void free(DatanodeLife datanode, long block) {
        if (datanode.isRetired()) {
            datanodes.drop(datanode);
        } else {
            datanode.free(block);
        }
    }

    /** Takes back a block that clients may still know; it waits for reclamation. */
    public void release(long block, long nowNs) {
        DatanodeLife datanode = datanodes.byIndex(BlockId.datanode(block));
        datanode.tellLeaving(block, BlockPlace.HELD);
        if (datanode.isRetired()) {
            datanodes.drop(datanode);
        } else {
            datanode.countPending(block, 1);
            pending.add(block, nowNs + settings.reclamationDelayNs());
        }
    }

    /** Makes blocks free that have waited long enough, at most {@code limit}; returns how many. */
    public int reclaimDue(long nowNs, int limit) {
        int done = held.release(nowNs, limit);
        while (done < limit && pending.hasDue(nowNs)) {
            long block = pending.poll();
            DatanodeLife datanode = datanodes.byIndex(BlockId.datanode(block));
            datanode.tellLeaving(block, BlockPlace.WAITING);
            if (!datanode.isRetired()) {
                datanode.countPending(block, -1);
            }
            free(datanode, block);
            done++;
        }
        return done;
    }

    /** Begins a new epoch of a block, so that tiers that can do so refuse transfers of the former one. */
    public void fence(long block) {
        datanodes.byIndex(BlockId.datanode(block)).fence(BlockId.number(block));
    }

    /** Where a block lies, or null if its datanode is dead or came back without it. */
    public BlockInfo locate(long block) {
        return isLive(block) ? location(datanodes.byIndex(BlockId.datanode(block)), block) : null;
    }

    /** Whether the datanode of a block is heard. */
    public boolean isLive(long block) {
        DatanodeLife datanode = datanodes.byIndex(BlockId.datanode(block));
        return datanode != null && datanode.isLive();
    }

    /** Whether a block may lie where somebody takes it to be, also if its datanode is silent; its bytes may be lost. */
    public boolean mayBeAt(long block, BlockInfo location) {
        DatanodeLife datanode = datanodes.byIndex(BlockId.datanode(block));
        BlockInfo present = datanode == null || datanode.isRetired() ? null : location(datanode, block);
        return present == null
                ? datanode != null && datanode.info().equals(location.getDnInfo())
                : present.equals(location);
    }

    private BlockInfo location(DatanodeLife datanode, long block) {
        BlockInfo whole = datanode.location(BlockId.number(block), settings.blockSizeBytes());
        return whole == null || !BlockId.isPart(block)
                ? whole
                : whole.part(BlockId.part(block) * settings.smallBlockBytes(), settings.smallBlockBytes());
    }

    /** Whether a block whose datanode is lost may still be read when that datanode is started again. */
    public boolean mayReturn(long block) {
        DatanodeLife datanode = datanodes.byIndex(BlockId.datanode(block));
        return datanode != null && !datanode.isRetired();
    }

    /** What brings a block back whose datanode is lost, for a message: nobody here knows which tiers keep data. */
    public String describeReturn(long block) {
        DatanodeLife datanode = datanodes.byIndex(BlockId.datanode(block));
        if (datanode == null || datanode.isRetired()) {
            return "";
        }
        return (datanode.isStopped() ? "" : "wait until it is heard, ")
                + "start it again if its tier keeps data over a restart, or ";
    }

    /** Why a block cannot be reached, for a message: which datanode, and what is wrong with it. */
    public String describeLoss(long block, long nowNs) {
        DatanodeLife datanode = datanodes.byIndex(BlockId.datanode(block));
        if (datanode == null) {
            return "an unknown datanode";
        }
        String address = datanode.info().identity();
        if (datanode.isRetired()) {
            return "datanode " + address
                    + ", which lost its data: it came back empty, was forgotten, or another datanode took its"
                    + " medium over";
        }
        return "datanode " + address
                + (datanode.isStopped()
                        ? ", which was stopped and has been away for "
                        : ", which has sent no heartbeat for ")
                + ageMs(datanode, nowNs) + " ms";
    }

    private long ageMs(DatanodeLife datanode, long nowNs) {
        return TimeUnit.NANOSECONDS.toMillis(datanode.heartbeatAgeNs(running.at(nowNs)));
    }

    /** Adds regions of a datanode, see {@link Registrations}. */
    public Registered register(RegionOffer offer, long nowNs) throws CrailException {
        return registrations.register(offer, nowNs, running.at(nowNs));
    }

    /**
     * Notes that a datanode lives, or stops. Any thread may call this, also without the namespace's lock.
     *
     * @param last whether the datanode stops
     * @return about how many of its blocks are free
     */
    public long heartbeat(DataNodeInfo info, long incarnation, boolean last, long nowNs) throws CrailException {
        DatanodeLife datanode = datanodes.require(info, incarnation);
        if (last) {
            datanode.stop(running.at(nowNs));
        } else {
            datanode.heartbeat(running.at(nowNs));
        }
        return datanode.freeBlocks();
    }

    /**
     * Gives up a datanode that is not heard any more: its blocks are lost, and its address is free.
     *
     * @param identity its address, and its locator if it has one
     * @return how many of its blocks were in use
     */
    public long forget(String identity) throws CrailException {
        DatanodeLife datanode = datanodes.find(identity);
        if (datanode == null) {
            throw new DatanodeNotRegisteredException(
                    "cannot forget datanode " + identity + ": it is not known; name it as crail report does");
        }
        if (datanode.isLive()) {
            throw new InvalidRequestException(
                    "cannot forget datanode " + identity + ": it is live; stop it before, or wait until it is silent");
        }
        long lost = datanode.usedBlocks();
        datanodes.retire(datanode, "is forgotten by command");
        return lost;
    }

    /** Time as far as this namenode ran, which is all that may be held against others who were not heard. */
    public long runningNs(long nowNs) {
        return running.at(nowNs);
    }

    /**
     * Judges which datanodes are silent, forgets those that have been so for very long, and tells the operator, also of
     * classes that are full; to be called regularly. Time that passed between two calls, but for a period of
     * heartbeats, does not count as silence: the namenode itself was held up.
     */
    public void tellLiveness(long nowNs) {
        running.look(nowNs);
        long runningNs = running.at(nowNs);
        List<DatanodeLife> forgotten = new ArrayList<>();
        for (DatanodeLife datanode : datanodes.all()) {
            datanode.judge(runningNs, settings.datanodeTimeoutNs());
            datanodes.tellLiveness(datanode);
            if (!datanode.isLive() && datanode.heartbeatAgeNs(runningNs) > settings.forgetAfterNs()) {
                forgotten.add(datanode);
            }
        }
        forgotten.forEach(datanode -> datanodes.retire(datanode, "has not been heard for too long and is forgotten"));
        datanodes.tellFullness();
    }

    /** Describes the datanodes, in the order of registration. */
    public List<DatanodeState> datanodes(long nowNs) {
        List<DatanodeState> states = new ArrayList<>();
        for (DatanodeLife datanode : datanodes.all()) {
            states.add(new DatanodeState(
                    datanode.info(),
                    datanode.isLive(),
                    datanode.isStopped(),
                    ageMs(datanode, nowNs),
                    datanode.blocks(),
                    datanode.freeBlocks(),
                    datanode.pendingBlocks()));
        }
        return states;
    }

    /** Blocks in free lists, of live and dead datanodes. */
    public long freeBlocks() {
        return datanodes.all().stream().mapToLong(DatanodeLife::freeBlocks).sum();
    }

    /** Blocks of all known datanodes. */
    public long registeredBlocks() {
        return datanodes.all().stream().mapToLong(DatanodeLife::blocks).sum();
    }

    /** Blocks that wait for reclamation. */
    public long pendingBlocks() {
        return datanodes.all().stream().mapToLong(DatanodeLife::pendingBlocks).sum();
    }

    /** What the known datanodes have, also those that are silent. */
    public BlockRoom room() {
        return roomOf(datanode -> true);
    }

    /** What the live datanodes have. */
    public BlockRoom liveRoom() {
        return roomOf(DatanodeLife::isLive);
    }

    private BlockRoom roomOf(Predicate<DatanodeLife> counts) {
        BlockRoom room = new BlockRoom(Math.max(1, settings.partsPerBlock()), 0, 0, 0);
        for (DatanodeLife datanode : datanodes.all()) {
            room = counts.test(datanode) ? room.plus(datanode) : room;
        }
        return room;
    }

    /** Whether blocks or parts of some wait for reclamation. */
    public boolean isReclaiming() {
        return pending.size() > 0 || !held.isEmpty();
    }

    /** Whether blocks or parts of some wait for reclamation on a live datanode other than that of a block. */
    public boolean isReclaimingElsewhere(long block) {
        DatanodeLife avoided = datanodes.byIndex(BlockId.datanode(block));
        return datanodes.all().stream()
                .anyMatch(datanode -> datanode != avoided && datanode.isLive() && datanode.hasPending());
    }

    /** Begins a count of all blocks; there must be no other one. */
    public BlockAudit audit() {
        return new BlockAudit(datanodes, pending, held);
    }
}
