/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.metadata.DataNodeInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which datanodes are let in, in place of which others, and which of their blocks wait. An offer either
 * changes all that it asks for, or nothing. Not thread safe; guarded by the namespace's lock.
 */
final class Registrations {
    private static final Logger LOG = LoggerFactory.getLogger(Registrations.class);

    /** Epochs: milliseconds of the namenode's start above, allocations of the block below. */
    private static final int EPOCH_SHIFT = 20;

    private final BlockStoreSettings settings;
    private final DatanodeRegistry datanodes;
    private final HeldBlocks held;
    private final SharedMedia media;
    private final OfferCheck check;
    private final long epochBase;

    Registrations(BlockStoreSettings settings, DatanodeRegistry datanodes, HeldBlocks held) {
        this.settings = settings;
        this.datanodes = datanodes;
        this.held = held;
        this.media = new SharedMedia(settings, datanodes);
        this.check = new OfferCheck(settings.storageClasses());
        this.epochBase = settings.startMs() << EPOCH_SHIFT;
    }

    /**
     * Adds regions of a datanode. Known ones change nothing but the way they are reached. A life that began later
     * retires the former one, unless that is live. Nothing is added for a datanode that does not admit all epochs that
     * its blocks may get; it is told which.
     */
    Registered register(RegionOffer offer, long nowNs, long runningNs) throws CrailException {
        check.check(offer);
        DataNodeInfo info = offer.datanode();
        DatanodeLife known = datanodes.find(info.identity());
        datanodes.requireSuccessor(
                info,
                offer.incarnation(),
                known,
                known == null ? 0 : TimeUnit.NANOSECONDS.toMillis(known.heartbeatAgeNs(runningNs)),
                TimeUnit.NANOSECONDS.toMillis(settings.datanodeTimeoutNs()));
        boolean sameLife = known != null && known.incarnation() == offer.incarnation();
        if (sameLife && !known.info().equals(info)) {
            throw new InvalidRequestException("cannot register datanode " + info + ": it is registered as "
                    + known.info() + "; to change it, restart it with a new incarnation");
        }
        DatanodeLife present = sameLife ? known : null;
        long epochsAfter = Math.max(epochBase, offer.epochAfter());
        long epochLimit = sameLife ? present.epochLimit() : epochsAfter + DatanodeLife.EPOCHS;
        if (offer.regions().isEmpty() || offer.epochLimit() < epochLimit) {
            return new Registered(sameLife ? present.blocks() : 0, epochLimit);
        }
        RegionPlan plan = RegionPlan.of(
                info.identity(),
                settings.blockSizeBytes(),
                present,
                datanodes.roomFor(present, sameLife ? null : known),
                offer.regions());
        List<DatanodeLife> displaced = media.displacedBy(offer, present);
        DatanodeLife datanode = sameLife ? present : begin(offer, known, displaced, epochsAfter, runningNs);
        if (sameLife) {
            retireDisplaced(datanode, displaced);
        }
        apply(plan, datanode, offer.inUse(), nowNs);
        datanode.heartbeat(runningNs);
        return new Registered(datanode.blocks(), epochLimit);
    }

    private DatanodeLife begin(
            RegionOffer offer, DatanodeLife known, List<DatanodeLife> displaced, long epochsAfter, long runningNs)
            throws InvalidRequestException {
        DataNodeInfo info = offer.datanode();
        datanodes.requirePlace(info, known);
        boolean hadMedium = known != null && !known.medium().isEmpty();
        if (known != null) {
            datanodes.retire(known, "came back without its data");
            displaced.remove(known);
        }
        if (epochsAfter > epochBase) {
            LOG.warn("datanode {} has seen a namenode that started later by its clock than this one", info);
        }
        if (known == null && offer.inUse()) {
            LOG.warn(
                    "datanode {} has blocks from before this namenode knew it: they become free, and what they held is"
                            + " lost",
                    info);
        }
        DatanodeLife begun = datanodes.add(info, offer.incarnation(), offer.medium(), epochsAfter, runningNs);
        if (hadMedium) {
            begun.holdBack();
        }
        retireDisplaced(begun, displaced);
        return begun;
    }

    private void retireDisplaced(DatanodeLife successor, List<DatanodeLife> displaced) {
        for (DatanodeLife former : displaced) {
            datanodes.retire(
                    former,
                    "does not serve any more, and its medium is now offered by "
                            + successor.info().identity());
            successor.holdBack();
        }
    }

    /**
     * New blocks that clients may know from another life wait as long as they may use locations of what was there
     * before.
     */
    private void apply(RegionPlan plan, DatanodeLife datanode, boolean inUse, long nowNs) {
        boolean holdBack = inUse || datanode.isHeldBack();
        for (BlockRange range : plan.applyTo(datanode, holdBack)) {
            held.add(datanode, range, nowNs + settings.reclamationDelayNs());
        }
    }
}
