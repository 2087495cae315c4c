/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.tree;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.apache.crail.CrailNodeType;
import org.apache.crail.namenode.block.BlockStore;

/**
 * Nodes that have been taken out of the tree and still hold blocks. Removing a container takes one step, however much
 * it holds; here it is taken apart, a part at a time, and its blocks go to wait for reclamation. The same is done for
 * the many blocks that a node may lose when it is closed. Not thread safe; guarded by the namespace's lock.
 */
public final class RemovedNodes {
    private static final int TAKE_APART_AT_ONCE = 256;
    private static final int GIVEN_BACK_AT_ONCE = 256;

    private final Deque<Node> stack = new ArrayDeque<>();
    private final Tree tree;
    private final Writers writers;
    private final BlockStore blocks;
    private Consumer<Node> heirListener;

    /** No node has been removed. */
    public RemovedNodes(Tree tree, Writers writers, BlockStore blocks) {
        this.tree = tree;
        this.writers = writers;
        this.blocks = blocks;
    }

    /** Whether all blocks of removed nodes have been given back. */
    public boolean isEmpty() {
        return stack.isEmpty();
    }

    /** Takes over a node that is not in the tree, or not any more, and ends it as far as that is done at once. */
    public void add(Node node, long nowNs) {
        push(node);
        takeApart(TAKE_APART_AT_ONCE, nowNs);
    }

    /** As {@link #add}, all by and by. */
    public void addLater(Node node) {
        push(node);
    }

    private void push(Node node) {
        node.putOnStack();
        stack.push(node);
    }

    /**
     * Gives back all blocks of a node after the first {@code keep}: few at once, many by and by, as those of a node
     * that has been removed.
     */
    public void truncate(Node node, int keep, long nowNs) {
        int kept = Math.max(1, keep);
        if (NodeBlocks.count(node) - kept > GIVEN_BACK_AT_ONCE) {
            Node heir = tree.newNode(
                    CrailNodeType.DATAFILE, false, node.storageClass(), node.locationClass(), 0, node.ownership(), 0);
            NodeBlocks.split(node, kept, heir);
            tree.add(heir);
            push(heir);
            if (heirListener != null) {
                heirListener.accept(heir);
            }
        }
        NodeBlocks.truncate(node, keep, blocks, nowNs);
    }

    /** Sets who is told of nodes without names that get blocks of other ones; null for nobody. */
    void onHeir(Consumer<Node> listener) {
        assert listener == null || heirListener == null : "two listeners at a time";
        heirListener = listener;
    }

    /**
     * Does about {@code limit} steps: a step takes a node apart, or a child out of its container, or gives back a
     * block. A node of many blocks stays here until all have been given back.
     */
    public void takeApart(int limit, long nowNs) {
        int left = limit;
        while (left > 0 && !stack.isEmpty()) {
            Node node = stack.peek();
            int before = stack.size();
            boolean hadChildren = node instanceof Container container && container.children.drainPart(this::push);
            left -= Math.max(1, hadChildren ? stack.size() - before : takeApart(node, left, nowNs));
        }
    }

    /** Gives back so many blocks at most of the topmost node, which has no children; answers how many. */
    private int takeApart(Node node, int limit, long nowNs) {
        int count = NodeBlocks.count(node);
        int given = Math.min(count, limit);
        NodeBlocks.truncate(node, count - given, blocks, nowNs);
        if (given == count) {
            stack.pop();
            writers.giveBack(node, nowNs);
            tree.forget(node);
        }
        return given;
    }
}
