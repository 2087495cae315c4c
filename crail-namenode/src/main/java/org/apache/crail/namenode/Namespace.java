/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.error.BlocksPendingException;
import org.apache.crail.error.NoFreeBlocksException;
import org.apache.crail.error.NodeNotFoundException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.namenode.block.BlockStore;
import org.apache.crail.namenode.block.BlockStoreSettings;

/**
 * The state of a namenode, and what all operations on it share. The operations themselves are in classes of their own,
 * by subject. Not thread safe: {@link NameNodeService} guards it with one lock.
 */
final class Namespace {
    private static final int TAKE_APART_AT_ONCE = 256;
    private static final int GIVEN_BACK_AT_ONCE = 256;

    private final NamenodeSettings settings;
    private final NamenodeClock clock;
    private final Tree tree;
    private final BlockStore blocks;
    private final RemovedNodes removed;
    private final TraitsTable traits = new TraitsTable();
    private final AccessTimes accessTimes = new AccessTimes();
    private final RecordSlots recordSlots;
    private final Writers writers = new Writers(this);
    private final ValueLengths valueLengths = new ValueLengths(this);
    private final FirstBlocks firstBlocks = new FirstBlocks(this);
    private final ReplacedNodes replaced = new ReplacedNodes(this);
    private TreeCheck check;

    Namespace(NamenodeSettings settings, NamenodeClock clock) {
        this.settings = settings;
        this.clock = clock;
        Traits rootTraits = traits.acquire(settings.rootClass(), 0, settings.rootOwnership());
        this.tree = new Tree(NameHash.ofSecret(), rootTraits, clock.currentTimeMillis());
        this.blocks = new BlockStore(
                new BlockStoreSettings(
                        settings.blockSizeBytes(),
                        settings.smallBlockBytes(),
                        settings.storageClasses(),
                        settings.selection(),
                        settings.tokenExpirationNs(),
                        settings.datanodeTimeoutNs(),
                        settings.forgetAfterNs(),
                        settings.limits(),
                        clock.currentTimeMillis()),
                clock.nanoTime());
        this.removed = new RemovedNodes(this);
        this.recordSlots = new RecordSlots(this);
    }

    NamenodeSettings settings() {
        return settings;
    }

    Tree tree() {
        return tree;
    }

    BlockStore blocks() {
        return blocks;
    }

    TraitsTable traits() {
        return traits;
    }

    AccessTimes accessTimes() {
        return accessTimes;
    }

    RemovedNodes removed() {
        return removed;
    }

    Writers writers() {
        return writers;
    }

    ValueLengths valueLengths() {
        return valueLengths;
    }

    FirstBlocks firstBlocks() {
        return firstBlocks;
    }

    ReplacedNodes replaced() {
        return replaced;
    }

    /** Forgets a node that has been taken apart. */
    void forget(Node node) {
        writers.giveBack(node);
        tree.forgetFd(node);
        traits.release(node.traits);
        accessTimes.forget(node);
    }

    /** Ends a node that was unlinked because another has taken its path. */
    void dispose(Container parent, Node node) {
        recordSlots.vacate(parent, node, node.slot);
        if (replaced.isFor(node)) {
            replaced.add(node);
            forget(node);
        } else {
            takeApart(node);
        }
    }

    /** Ends a node that is not in the tree, or not any more, as far as that is done at once. */
    void takeApart(Node node) {
        removed.add(node);
        removed.takeApart(TAKE_APART_AT_ONCE, nowNs());
    }

    /**
     * Gives back all blocks of a node after the first {@code keep}: few at once, many by and by, as those of a node
     * that has been removed.
     */
    void truncate(Node node, int keep) {
        int kept = Math.max(1, keep);
        if (NodeBlocks.count(node) - kept > GIVEN_BACK_AT_ONCE) {
            Traits as = node.traits;
            Traits own = traits.acquire(as.storageClass, as.locationClass, as.ownership);
            Node rest = new Node(tree.nextFd(), CrailNodeType.DATAFILE, own);
            NodeBlocks.split(node, kept, rest);
            tree.addFd(rest);
            removed.add(rest);
            if (check != null) {
                check.addLate(rest);
            }
        }
        NodeBlocks.truncate(node, keep, blocks, nowNs());
    }

    /** A check goes on from now on, and is told of what it may miss; no other one may go on. */
    void beginCheck(TreeCheck begun) {
        assert check == null : "two checks at a time";
        check = begun;
    }

    void endCheck() {
        check = null;
    }

    RecordSlots recordSlots() {
        return recordSlots;
    }

    long nowNs() {
        return clock.nanoTime();
    }

    long nowMs() {
        return clock.currentTimeMillis();
    }

    /** The node at a path. */
    Node require(CrailPath path) throws NodeNotFoundException {
        Node node = tree.find(path);
        if (node == null) {
            throw new NodeNotFoundException("no node has the path " + path + "; check the path");
        }
        return node;
    }

    /** Allocates a block for a node. */
    long allocate(int storageClass, int locationClass, Object purpose) throws NoFreeBlocksException {
        return require(blocks.allocate(storageClass, locationClass, nowNs()), purpose);
    }

    /** The block that was found for a node; fails if that is none. */
    long require(long block, Object purpose) throws NoFreeBlocksException {
        if (block == BlockStore.NO_BLOCK) {
            String message = "no block for " + purpose + ": " + describeShortage();
            throw isReclaiming() ? new BlocksPendingException(message) : new NoFreeBlocksException(message);
        }
        return block;
    }

    /** Whether blocks are going to be free by themselves: they wait, or are about to be given back. */
    private boolean isReclaiming() {
        return blocks.isReclaiming() || !removed.isEmpty();
    }

    private String describeShortage() {
        long registered = blocks.registeredBlocks();
        if (registered == 0) {
            return "no datanode has registered blocks; start a datanode";
        }
        long silent = blocks.freeBlocks();
        return "none of " + registered + " blocks is free"
                + (silent > 0 ? " but " + silent + " of datanodes that are silent" : "")
                + "; a file takes at least one block of " + settings.blockSizeBytes()
                + " bytes; delete data, or add datanodes"
                + (isReclaiming()
                        ? ", or wait " + TimeUnit.NANOSECONDS.toMillis(settings.tokenExpirationNs()) + " ms for the "
                                + blocks.pendingBlocks() + " blocks that are reclaimed, or parts of shared ones"
                        : "");
    }

    /** Where a block of a node lies; null if it does not exist or cannot be reached now. */
    BlockInfo locate(Node node, int index) {
        return locate(NodeBlocks.get(node, index));
    }

    /** Where a block lies; null if it is none or cannot be reached now. */
    BlockInfo locate(long block) {
        return block == BlockStore.NO_BLOCK ? null : blocks.locate(block);
    }

    /** What clients are told of a node. */
    FileInfo describe(Node node, long token) {
        long capacityBytes = node.capacityBytes;
        int children = 0;
        if (node instanceof Container container) {
            capacityBytes = (long) container.slots.end() * settings.recordSizeBytes();
            children = container.slots.used();
        }
        return new FileInfo(
                node.fd,
                node.type(),
                capacityBytes,
                token,
                node.modifiedMs,
                node.slot,
                children,
                node.traits.storageClass,
                node.traits.locationClass,
                node.layout);
    }

    /** All that is known of a node. */
    NodeStatus status(Node node) {
        return new NodeStatus(
                new String(node.name, StandardCharsets.UTF_8),
                describe(node, Writers.NONE),
                node.traits.ownership,
                accessTimes.of(node));
    }
}
