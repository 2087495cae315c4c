/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.tree;

import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.crail.namenode.block.BlockAudit;
import org.apache.crail.namenode.block.BlockStore;

/**
 * Looks at all nodes and blocks, in steps, beside changes: nodes by their ids, each with its blocks and its place in
 * the tree. What is created while the check lasts is left out; blocks count for what they were when it began, see
 * {@link BlockAudit}. Confined to one call; each step needs the namespace's lock, the first and the last one for
 * writing.
 */
public final class TreeCheck {
    private final Tree tree;
    private final RemovedNodes removed;
    private final BlockAudit audit;
    private final long lastFd;

    /** The nodes of a part of the table of ids that have not been looked at. */
    private final Deque<Node> nodes = new ArrayDeque<>();

    /** Nodes that have been made meanwhile for blocks of others. */
    private final Deque<Node> late = new ArrayDeque<>();

    private long nextHash;
    private long nodesInTree;

    /** How far the first of {@link #nodes} has been looked at. */
    private int nextBlock;

    private long nextChildHash;

    /** Begins; there must be no other one. From now on it is told of what it may miss. */
    public TreeCheck(Tree tree, RemovedNodes removed, BlockStore blocks) {
        this.tree = tree;
        this.removed = removed;
        this.lastFd = tree.lastFd();
        this.audit = blocks.audit();
        removed.onHeir(late::add);
        if (tree.size() != tree.nodesWithAttributes()) {
            audit.problem(tree.size() + " nodes have ids, but " + tree.nodesWithAttributes() + " have attributes");
        }
    }

    /**
     * Looks at so many blocks and nodes, about.
     *
     * @return whether there is more
     */
    public boolean step(int limit) {
        int left = limit;
        if (audit.walkLists(left)) {
            return true;
        }
        while (left > 0 && (!nodes.isEmpty() || nextHash < NodeTable.HASHES)) {
            if (nodes.isEmpty()) {
                left -= visitPart();
            } else {
                left -= look(nodes.peek(), left);
            }
        }
        while (left > 0 && !late.isEmpty()) {
            left -= lookAtLate(late.peek(), left);
        }
        return left <= 0 || audit.finish(left);
    }

    /** Looks at a node that has got blocks of another one, which may not have been looked at. */
    private int lookAtLate(Node node, int limit) {
        int end = Math.min(NodeBlocks.count(node), nextBlock + limit);
        int done = Math.max(1, end - nextBlock);
        for (; nextBlock < end; nextBlock++) {
            audit.handedOver(NodeBlocks.get(node, nextBlock));
        }
        if (nextBlock >= NodeBlocks.count(node)) {
            late.remove();
            nextBlock = 0;
        }
        return done;
    }

    /** Notes the nodes of a part of the table that are to be looked at; answers how many there were, also of others. */
    private int visitPart() {
        int[] visited = {1};
        nextHash = tree.forEachOfPart(nextHash, node -> {
            if (node.fd <= lastFd) {
                nodes.add(node);
            }
            visited[0]++;
        });
        return visited[0];
    }

    /** Looks at a node, or at a part of it; answers how much that was. */
    private int look(Node node, int limit) {
        if (!tree.isKnown(node)) { // taken apart meanwhile
            next();
            return 1;
        }
        boolean isPlaced = Writers.isPlaced(node);
        int depth = tree.depthOf(node);
        boolean isBegin = nextBlock == 0 && nextChildHash == 0;
        if (isBegin) {
            checkPlace(node, isPlaced, depth >= 0);
            nodesInTree += isPlaced && depth >= 0 ? 1 : 0;
        }
        int done = 1 + nodesAbove(node) + lookAtBlocks(node, !isPlaced || depth >= 0, limit);
        boolean isDone = nextBlock >= NodeBlocks.count(node);
        if (isDone && depth >= 0 && node instanceof Container container) {
            done += lookAtChildren(container);
            isDone = nextChildHash >= NodeTable.HASHES;
        }
        if (isDone) {
            next();
        }
        return done;
    }

    private void next() {
        nodes.remove();
        nextBlock = 0;
        nextChildHash = 0;
    }

    private int lookAtBlocks(Node node, boolean isHeld, int limit) {
        if (nextBlock == 0 && node.writer != null && node.writer.wholeBlock != BlockStore.NO_BLOCK) {
            found(node.writer.wholeBlock, node, isHeld); // becomes the first one when the node has grown
        }
        int begin = nextBlock;
        int end = Math.min(NodeBlocks.count(node), begin + limit);
        for (; nextBlock < end; nextBlock++) {
            found(NodeBlocks.get(node, nextBlock), node, isHeld);
        }
        return Math.max(0, end - begin);
    }

    private void found(long block, Node node, boolean isHeld) {
        if (isHeld) {
            audit.allocated(block, node.fd);
        } else {
            audit.removed(block, node.fd);
        }
    }

    private int lookAtChildren(Container container) {
        int[] seen = {1};
        nextChildHash = container.children.forEachOfPart(nextChildHash, child -> {
            checkChild(container, child);
            seen[0]++;
        });
        return seen[0];
    }

    private void checkPlace(Node node, boolean isPlaced, boolean isInTree) {
        Container parent = node.parent;
        if (node instanceof Container container) {
            checkCount(container);
        }
        if (isPlaced && isInTree && parent != null && parent.children.find(node.name, node.nameHash) != node) {
            audit.problem("node " + node.fd + " is no child of node " + parent.fd + ", which it takes for its parent");
        }
        if (isPlaced && isInTree) {
            checkEnd(node);
        }
        if (isPlaced && !isInTree && !isBelowRemoved(node)) {
            audit.problem("node " + node.fd + " has been removed, but is not taken apart");
        }
    }

    /** What is to go at some time has to be found then, and a time to live is such a time. */
    private void checkEnd(Node node) {
        if (!tree.isExpirationKnown(node)) {
            audit.problem("node " + node.fd + " goes at some time, but is not among the nodes that do");
        }
        if (node.timeToLiveMs() > 0 && !node.expires() && !(node instanceof Container)) {
            audit.problem("node " + node.fd + " has a time to live of " + node.timeToLiveMs() + " ms, but stays");
        }
    }

    /** Also of a node that hangs below a removed one. */
    private static int nodesAbove(Node node) {
        int above = 0;
        for (Node parent = node.parent; parent != null; parent = parent.parent) {
            above++;
        }
        return above;
    }

    private static boolean isBelowRemoved(Node node) {
        Node above = node;
        while (above != null && !above.isOnStack()) {
            above = above.parent;
        }
        return above != null;
    }

    private void checkCount(Container container) {
        if (container.listedCount < 0 || container.listedCount > container.childCount()) {
            audit.problem("node " + container.fd + " lists " + container.listedCount + " of " + container.childCount()
                    + " children");
        }
    }

    private void checkChild(Container parent, Node child) {
        if (child.parent != parent) {
            audit.problem("node " + child.fd + " is a child of node " + parent.fd + " but does not know it");
        }
        if (!tree.isKnown(child)) {
            audit.problem("node " + child.fd + " cannot be found by its id");
        }
    }

    /** Ends, also before it is done. */
    public void end() {
        removed.onHeir(null);
        audit.end();
    }

    /** How many nodes have been found in the tree, the root counted. */
    public long nodesInTree() {
        return nodesInTree;
    }

    /** What has been found of blocks, and all problems. */
    public BlockAudit audit() {
        return audit;
    }
}
