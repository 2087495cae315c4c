/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.tree;

import org.apache.crail.namenode.block.BlockStore;

/** What no operation does to nodes, for tests of the check. Stateless. */
public final class Damage {
    private Damage() {}

    /** A node loses its first block, which is nowhere now. */
    public static void loseFirstBlock(Node node) {
        node.firstBlock = BlockStore.NO_BLOCK;
    }

    /** A node holds the first block of another one in place of its own, which is nowhere now. */
    public static void holdFirstBlockOf(Node node, Node other) {
        node.firstBlock = other.firstBlock;
    }

    /** The parent of a node does not know it any more. */
    public static void dropFromParent(Node node) {
        node.parent.children.remove(node);
    }

    /** A node goes at some time, and nobody is going to find it then. */
    public static void hideEnd(Node node) {
        node.expiry = 1;
    }

    /** A node with a time to live stays. */
    public static void stay(Tree tree, Node node) {
        tree.keep(node);
    }

    /** A node does not know its parent any more, which knows it. */
    public static void forgetParent(Node node) {
        node.parent = null;
    }
}
