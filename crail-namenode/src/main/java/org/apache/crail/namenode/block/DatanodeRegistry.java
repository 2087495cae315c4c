/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.crail.error.AddressTakenException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeNotRegisteredException;
import org.apache.crail.error.DatanodeReplacedException;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.internal.Incarnation;
import org.apache.crail.metadata.DataNodeInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * All datanodes, by address and locator, and by the index that block ids hold. Guarded by the namespace's lock; {@link
 * #find} and {@link #require} may be called by any thread, and {@link #byIndex} also works for optimistic readers.
 */
final class DatanodeRegistry {
    private static final Logger LOG = LoggerFactory.getLogger(DatanodeRegistry.class);

    private final StorageClassPool[] pools;
    private final int partsPerBlock;
    private final RegistrationLimits limits;
    private final Map<String, DatanodeLife> byIdentity = new ConcurrentHashMap<>();
    private final Set<DatanodeLife> inOrder = new LinkedHashSet<>();
    private final Deque<Integer> unusedIndexes = new ArrayDeque<>();
    private DatanodeLife[] byIndex = new DatanodeLife[8];
    private int lastIndex;

    DatanodeRegistry(int storageClasses, int partsPerBlock, RegistrationLimits limits) {
        this.partsPerBlock = partsPerBlock;
        this.limits = limits;
        pools = new StorageClassPool[storageClasses];
        Arrays.setAll(pools, StorageClassPool::new);
    }

    StorageClassPool pool(int storageClass) {
        return pools[storageClass];
    }

    int storageClasses() {
        return pools.length;
    }

    /** The datanode with an index, living or retired, or null. */
    DatanodeLife byIndex(int index) {
        DatanodeLife[] all = byIndex;
        return index >= 0 && index < all.length ? all[index] : null;
    }

    /** The datanodes that are known, in the order of registration; retired ones are not among them. */
    Collection<DatanodeLife> all() {
        return inOrder;
    }

    /** Those, and the retired ones of which somebody still holds blocks. */
    List<DatanodeLife> allLives() {
        return Arrays.stream(byIndex).filter(Objects::nonNull).toList();
    }

    /** The present life of the datanode with this address and locator, or null. */
    DatanodeLife find(String identity) {
        return byIdentity.get(identity);
    }

    /** The datanode in this very life. */
    DatanodeLife require(DataNodeInfo info, long incarnation) throws CrailException {
        DatanodeLife known = find(info.identity());
        if (known != null && known.incarnation() == incarnation) {
            return known;
        }
        if (known != null && known.incarnation() > incarnation) {
            throw replaced(info, incarnation, known);
        }
        throw new DatanodeNotRegisteredException("datanode " + info.identity() + " is "
                + (known == null ? "not registered" : "registered with another incarnation")
                + "; it must register its regions");
    }

    /**
     * Checks that a life may take the place of the one that is known under its address, if there is one.
     *
     * @throws DatanodeReplacedException if it began before that
     * @throws AddressTakenException if that one is live
     */
    void requireSuccessor(DataNodeInfo info, long incarnation, DatanodeLife known, long ageMs, long timeoutMs)
            throws CrailException {
        if (known == null || known.incarnation() == incarnation) {
            return;
        }
        if (known.incarnation() > incarnation) {
            throw replaced(info, incarnation, known);
        }
        if (known.isLive()) {
            throw new AddressTakenException("cannot register datanode " + info.identity() + ", "
                    + Incarnation.text(incarnation) + ": another one, " + Incarnation.text(known.incarnation())
                    + ", has this address and was heard " + ageMs + " ms ago; give each a port, a"
                    + " crail.datanode.host or, on a shared medium, a range of its own, or stop the other one; one that"
                    + " was killed keeps the address until it has been silent for " + timeoutMs + " ms");
        }
    }

    private static DatanodeReplacedException replaced(DataNodeInfo info, long incarnation, DatanodeLife known) {
        return new DatanodeReplacedException("datanode " + info.identity() + ", " + Incarnation.text(incarnation)
                + ", has been replaced by one that began later, " + Incarnation.text(known.incarnation())
                + ", and must end; if it is the later one, because the clock of its host was set back, correct the clock,"
                + " or stop the other one, have it forgotten (crail forget) and start this one again");
    }

    /** Whether there is room for one more datanode, in the place of {@code left} if that is not null. */
    void requirePlace(DataNodeInfo info, DatanodeLife left) throws InvalidRequestException {
        if (left == null && inOrder.size() >= limits.datanodes()) {
            throw new InvalidRequestException(
                    "cannot register datanode " + info.identity() + ": " + inOrder.size()
                            + " are known, as many as crail.namenode.datanodes allows; raise it, or have silent ones forgotten");
        }
        boolean leavesIndex = left != null && left.references() == 0;
        if (!leavesIndex && unusedIndexes.isEmpty() && lastIndex == BlockId.MOST_DATANODES) {
            throw new InvalidRequestException("cannot register datanode " + info.identity() + ": nodes have blocks of "
                    + BlockId.MOST_DATANODES + " lives of datanodes; delete those whose datanodes are lost");
        }
    }

    /** How much a datanode may add, if {@code left} goes. */
    RegistrationRoom roomFor(DatanodeLife present, DatanodeLife left) {
        int regions = limits.regions();
        long blocks = limits.blocks();
        for (DatanodeLife each : inOrder) {
            regions -= each == left ? 0 : each.regions().length;
            blocks -= each == left ? 0 : each.blocks();
        }
        int ownRegions = present == null ? 0 : present.regions().length;
        int ownBlocks = present == null ? 0 : present.blocks();
        return new RegistrationRoom(
                limits,
                Math.max(0, Math.min(regions, limits.regionsEach() - ownRegions)),
                Math.max(0, Math.min(blocks, limits.blocksEach() - ownBlocks)));
    }

    /** Begins a life of a datanode; a former one of the same identity must have been retired. */
    DatanodeLife add(DataNodeInfo info, long incarnation, String medium, long epochBase, long runningNs) {
        Integer unused = unusedIndexes.poll();
        int index = unused != null ? unused : ++lastIndex;
        if (index == byIndex.length) {
            byIndex = Arrays.copyOf(byIndex, index * 2);
        }
        DatanodeLife datanode = new DatanodeLife(index, info, incarnation, medium, epochBase, partsPerBlock, runningNs);
        byIndex[index] = datanode;
        byIdentity.put(info.identity(), datanode);
        inOrder.add(datanode);
        pools[info.getStorageClass()].add(datanode);
        LOG.info("datanode {} joined, {}", info, Incarnation.text(incarnation));
        return datanode;
    }

    /** Tells the operator that a datanode has fallen silent or is heard again, if that is news. */
    void tellLiveness(DatanodeLife datanode) {
        if (datanode.hasNews()) {
            String silence = datanode.isStopped() ? "has stopped" : "is silent";
            String state =
                    datanode.isLive() ? "is heard again" : silence + " and gets no blocks until it is heard again";
            LOG.atLevel(datanode.isStopped() ? Level.INFO : Level.WARN)
                    .log(
                            "datanode {} {}; {} of its {} blocks are in use",
                            datanode.info(),
                            state,
                            datanode.usedBlocks(),
                            datanode.blocks());
        }
    }

    /** Tells the operator that a storage class has become full, or is not any more, if that is news. */
    void tellFullness() {
        for (StorageClassPool pool : pools) {
            pool.fullness().beginCount();
        }
        for (DatanodeLife datanode : inOrder) {
            if (datanode.isLive()) {
                pools[datanode.info().getStorageClass()].fullness().count(datanode);
            }
        }
        for (StorageClassPool pool : pools) {
            pool.fullness().endCount();
        }
    }

    /**
     * Ends a life of a datanode.
     *
     * @param why what happened to it, for the log
     */
    void retire(DatanodeLife datanode, String why) {
        LOG.warn("datanode {} {}; {} blocks in use are lost", datanode.info(), why, datanode.usedBlocks());
        byIdentity.remove(datanode.info().identity());
        inOrder.remove(datanode);
        datanode.retire();
        forgetUnlessReferred(datanode);
    }

    /** Takes a block back that was lost with its datanode. */
    void drop(DatanodeLife datanode) {
        datanode.drop();
        forgetUnlessReferred(datanode);
    }

    private void forgetUnlessReferred(DatanodeLife datanode) {
        if (datanode.references() == 0) {
            byIndex[datanode.index()] = null;
            unusedIndexes.add(datanode.index());
        }
    }
}
