/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.metadata.Lifetime;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.namenode.block.BlockStore;
import org.apache.crail.namenode.tree.Container;
import org.apache.crail.namenode.tree.Node;
import org.apache.crail.namenode.tree.NodeBlocks;
import org.apache.crail.namenode.tree.Tree;
import org.apache.crail.namenode.tree.Writers;
import org.apache.crail.rpc.message.LookupResponse;
import org.apache.crail.rpc.message.StatusResponse;

/**
 * What clients are told of nodes and their blocks. Changes nothing; needs the namespace's read lock, or an optimistic
 * read of it.
 */
final class NodeDescriptions {
    private final Tree tree;
    private final BlockStore blocks;
    private final NamenodeClock clock;

    NodeDescriptions(Tree tree, BlockStore blocks, NamenodeClock clock) {
        this.tree = tree;
        this.blocks = blocks;
        this.clock = clock;
    }

    /** Answers whoever is going to read a node. */
    LookupResponse lookup(CrailPath path) throws CrailException {
        Node node = tree.require(path);
        return new LookupResponse(describe(node), locate(node, 0));
    }

    /** Answers whoever wants to know all of a node. */
    StatusResponse status(CrailPath path) throws CrailException {
        return new StatusResponse(status(tree.require(path)));
    }

    /** A node as its readers see it. */
    FileInfo describe(Node node) {
        return describe(node, Writers.NONE);
    }

    /** A node as the holder of its write token sees it. */
    FileInfo describe(Node node, long token) {
        int children = node instanceof Container container ? container.listedCount() : 0;
        return new FileInfo(
                node.fd(),
                node.type(),
                node.capacityBytes(),
                token,
                node.modifiedMs(),
                node.isEnumerable(),
                children,
                node.storageClass(),
                node.locationClass(),
                node.layout());
    }

    /** All that is known of a node. */
    NodeStatus status(Node node) {
        return new NodeStatus(
                new String(node.name(), StandardCharsets.UTF_8),
                describe(node),
                node.ownership(),
                tree.accessMs(node),
                lifetime(node));
    }

    private Lifetime lifetime(Node node) {
        if (node.timeToLiveMs() == 0 && !node.expires()) {
            return Lifetime.UNLIMITED;
        }
        long nowMs = TimeUnit.NANOSECONDS.toMillis(blocks.runningNs(clock.nanoTime()));
        return new Lifetime(
                node.timeToLiveMs(),
                node.expires() ? Math.max(0, node.expiresMs() - nowMs) : Lifetime.ENDLESS,
                node.hasEnd());
    }

    /** Where a block of a node lies; null if it does not exist or cannot be reached now. */
    BlockInfo locate(Node node, int index) {
        return locate(NodeBlocks.get(node, index));
    }

    /** Where a block lies; null if it is none or cannot be reached now. */
    BlockInfo locate(long block) {
        return block == BlockStore.NO_BLOCK ? null : blocks.locate(block);
    }
}
