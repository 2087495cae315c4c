/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.crail.namenode.allocation.BlockAllocator;
import org.apache.crail.namenode.block.BlockRoom;
import org.apache.crail.namenode.block.BlockStore;
import org.apache.crail.namenode.tree.ClosedNodes;
import org.apache.crail.namenode.tree.Container;
import org.apache.crail.namenode.tree.Node;
import org.apache.crail.namenode.tree.NodeBlocks;
import org.apache.crail.namenode.tree.RemovedNodes;
import org.apache.crail.namenode.tree.Tree;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the files and key-values that were closed longest ago when the store is nearly full, in those top-level
 * directories for which the operator wants it. What waits for reclamation is room already, so no more goes than has to.
 * Nobody loses a node that he is writing, or one with blocks on a silent datanode, which cannot be had now. Costs
 * nothing if there is no such directory. Not thread safe; needs the namespace's write lock.
 */
final class Eviction implements BlockAllocator.LastResort {
    /** One in so many parts is to be free or to wait. */
    static final int RESERVE = 8;

    private static final Logger LOG = LoggerFactory.getLogger(Eviction.class);
    private static final long BLOCKS_AT_ONCE = 4096;
    private static final int NODES_ON_DEMAND = 1024;
    private static final long TELL_AGAIN_NS = TimeUnit.MINUTES.toNanos(1);

    private final List<String> paths;
    private final List<byte[]> names;
    private final Tree tree;
    private final ClosedNodes closed;
    private final RemovedNodes removed;
    private final BlockStore blocks;
    private final NamenodeClock clock;
    private long evicted;
    private long told;
    private long toldNs;

    /**
     * Nothing has been removed.
     *
     * @param settings tell the directories and tables below the root
     */
    Eviction(NamenodeSettings settings, Tree tree, RemovedNodes removed, BlockStore blocks, NamenodeClock clock) {
        this.paths = settings.evicted();
        this.names = paths.stream()
                .map(path -> path.substring(1).getBytes(StandardCharsets.UTF_8))
                .toList();
        this.tree = tree;
        this.closed = tree.closed();
        this.removed = removed;
        this.blocks = blocks;
        this.clock = clock;
        this.toldNs = clock.nanoTime() - TELL_AGAIN_NS;
    }

    /** How many nodes have been removed. */
    long evicted() {
        return evicted;
    }

    /** A writer has closed a node, or has been lost: it goes after all others. */
    void closed(Node node) {
        if (!names.isEmpty()) {
            closed.remove(node);
            addIfEvictable(node);
        }
    }

    /** A node has another place, where it may go in its turn, or after all others if it had none. */
    void moved(Node node) {
        if (!names.isEmpty()) {
            addIfEvictable(node);
        }
    }

    private void addIfEvictable(Node node) {
        if (isEvictable(node)) {
            closed.add(node);
        }
    }

    /** Also asked when its turn comes, as it may have moved, or be written again; it then comes back with its close. */
    private boolean isEvictable(Node node) {
        return !(node instanceof Container)
                && node.writer() == null
                && NodeBlocks.count(node) > 0
                && isListed(tree.topAbove(node));
    }

    private boolean isListed(Container top) {
        return top != null && names.stream().anyMatch(name -> Arrays.equals(name, top.name()));
    }

    /**
     * Removes nodes until there is a reserve. A silent datanode counts as before, as it may come back with its blocks.
     *
     * @param limit how many nodes are looked at
     * @return whether to go on at once
     */
    boolean keepReserve(int limit, long nowNs) {
        boolean more = false;
        if (isReady()) {
            BlockRoom room = blocks.room();
            more = evict(reserveOf(room) - room.freeParts() - room.waitingParts(), room, limit, nowNs);
        }
        tell(nowNs);
        return more;
    }

    /** Lets a reserve wait at the live datanodes, for a request that has found none of their blocks free. */
    @Override
    public void makeRoom(long nowNs) {
        if (isReady()) {
            BlockRoom room = blocks.liveRoom();
            boolean ignored = evict(reserveOf(room) - room.waitingParts(), room, NODES_ON_DEMAND, nowNs);
        }
    }

    /** While removed nodes still hold blocks, it is not known how much there will be. */
    private boolean isReady() {
        return !closed.isEmpty() && removed.isEmpty();
    }

    private static long reserveOf(BlockRoom room) {
        return (room.parts() + RESERVE - 1) / RESERVE;
    }

    /**
     * Removes nodes until so many parts have been given back, or so many nodes have been looked at.
     *
     * @return whether there may be more to be removed
     */
    private boolean evict(long parts, BlockRoom room, int limit, long nowNs) {
        long before = evicted;
        long missing = parts;
        long least = parts - BLOCKS_AT_ONCE * room.partsPerBlock();
        for (int i = 0; i < limit && missing > Math.max(0, least) && !closed.isEmpty(); i++) {
            Node node = closed.poll();
            if (isEvictable(node) && !isReachable(node)) {
                closed.add(node);
            } else if (isEvictable(node)) {
                boolean isSmall = BlockStore.isSmall(NodeBlocks.get(node, 0));
                missing -= isSmall ? 1 : (long) NodeBlocks.count(node) * room.partsPerBlock();
                evict(node, nowNs);
            }
        }
        return missing > 0 && evicted > before && !closed.isEmpty();
    }

    private boolean isReachable(Node node) {
        for (int i = 0; i < NodeBlocks.count(node); i++) {
            if (!blocks.isLive(NodeBlocks.get(node, i))) {
                return false;
            }
        }
        return true;
    }

    private void evict(Node node, long nowNs) {
        Container parent = node.parent();
        tree.unlink(node);
        parent.modifiedMs(clock.currentTimeMillis());
        removed.add(node, nowNs);
        evicted++;
    }

    private void tell(long nowNs) {
        if (evicted > told && nowNs - toldNs >= TELL_AGAIN_NS) {
            LOG.info(
                    "evicted {} nodes of {}, closed longest ago: the store is nearly full; {} since the start",
                    evicted - told,
                    String.join(", ", paths),
                    evicted);
            told = evicted;
            toldNs = nowNs;
        }
    }
}
