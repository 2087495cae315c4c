/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import org.apache.crail.namenode.allocation.BlockAllocator;
import org.apache.crail.namenode.allocation.FirstBlockAllocator;
import org.apache.crail.namenode.allocation.SmallBlockGrowth;
import org.apache.crail.namenode.block.BlockStore;
import org.apache.crail.namenode.block.BlockStoreSettings;
import org.apache.crail.namenode.tree.RemovedNodes;
import org.apache.crail.namenode.tree.ReplacedNodes;
import org.apache.crail.namenode.tree.Tree;
import org.apache.crail.namenode.tree.Writers;

/**
 * The parts of which a namespace consists, put together. No part knows this class; the operations take from it what
 * they work on. Not thread safe: {@link NameNodeService} guards all parts with one lock.
 */
final class Namespace {
    private final NamenodeSettings settings;
    private final NamenodeClock clock;
    private final Tree tree;
    private final BlockStore blocks;
    private final Writers writers;
    private final RemovedNodes removed;
    private final ReplacedNodes replaced;
    private final BlockAllocator allocator;
    private final FirstBlockAllocator firstBlocks;
    private final SmallBlockGrowth growth;
    private final NodeDescriptions descriptions;
    private final NodeLifetimes lifetimes;
    private final Eviction eviction;

    Namespace(NamenodeSettings settings, NamenodeClock clock) {
        this.settings = settings;
        this.clock = clock;
        tree = new Tree(settings.rootClass(), settings.rootOwnership(), clock.currentTimeMillis());
        blocks = new BlockStore(blockStoreSettings(settings, clock.currentTimeMillis()), clock.nanoTime());
        writers = new Writers(blocks, settings.tokenExpirationNs());
        removed = new RemovedNodes(tree, writers, blocks);
        replaced = new ReplacedNodes(tree, writers, removed, blocks, settings.tokenExpirationNs());
        eviction = new Eviction(settings, tree, removed, blocks, clock);
        allocator =
                new BlockAllocator(blocks, removed, eviction, settings.blockSizeBytes(), settings.tokenExpirationNs());
        firstBlocks = new FirstBlockAllocator(blocks, settings.smallBlockBytes());
        growth = new SmallBlockGrowth(allocator, blocks, settings.smallBlockBytes());
        descriptions = new NodeDescriptions(tree, blocks, clock);
        lifetimes = new NodeLifetimes(this);
    }

    private static BlockStoreSettings blockStoreSettings(NamenodeSettings settings, long startMs) {
        return new BlockStoreSettings(
                settings.blockSizeBytes(),
                settings.smallBlockBytes(),
                settings.storageClasses(),
                settings.selection(),
                settings.tokenExpirationNs(),
                settings.datanodeTimeoutNs(),
                settings.forgetAfterNs(),
                settings.limits(),
                startMs);
    }

    NamenodeSettings settings() {
        return settings;
    }

    NamenodeClock clock() {
        return clock;
    }

    Tree tree() {
        return tree;
    }

    BlockStore blocks() {
        return blocks;
    }

    Writers writers() {
        return writers;
    }

    RemovedNodes removed() {
        return removed;
    }

    ReplacedNodes replaced() {
        return replaced;
    }

    BlockAllocator allocator() {
        return allocator;
    }

    FirstBlockAllocator firstBlocks() {
        return firstBlocks;
    }

    SmallBlockGrowth growth() {
        return growth;
    }

    NodeDescriptions descriptions() {
        return descriptions;
    }

    NodeLifetimes lifetimes() {
        return lifetimes;
    }

    Eviction eviction() {
        return eviction;
    }
}
