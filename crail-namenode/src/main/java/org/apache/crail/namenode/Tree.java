/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.util.function.Consumer;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.ParentNotContainerException;
import org.apache.crail.error.ParentNotFoundException;
import org.apache.crail.error.StaleNodeException;
import org.apache.crail.internal.Surroundings;

/**
 * All nodes, by path and by id. Not thread safe: changes need the namespace's write lock; {@link #find} and
 * {@link #require} also work for optimistic readers.
 */
final class Tree {
    /** The ids of a namenode begin with a positive number, behind which many are left. */
    private static final int UNUSED_BITS_OF_IDS = 2;

    private final NameHash hash;
    private final FdTable byFd = new FdTable();
    private final Container root;
    private long lastFd;

    Tree(NameHash hash, Traits rootTraits, long nowMs) {
        this.hash = hash;
        lastFd = Surroundings.nextLong() >>> UNUSED_BITS_OF_IDS;
        root = new Container(nextFd(), CrailNodeType.DIRECTORY, rootTraits);
        root.name = new byte[0];
        root.modifiedMs = nowMs;
        byFd.put(root);
    }

    Container root() {
        return root;
    }

    /**
     * Ids count up from a random number, are never used twice and mean nothing. A namenode that starts without its
     * former state, with whatever clock, thus gives none that it gave before, which clients and directory records may
     * still hold.
     */
    long nextFd() {
        return ++lastFd;
    }

    /**
     * Nodes that exist, those of removed containers counted until reclamation comes to them, and those that have yet to
     * get their places.
     */
    int size() {
        return byFd.size();
    }

    /** The highest id that was given out. */
    long lastFd() {
        return lastFd;
    }

    /** The node with an id, or null; it may have been removed, with its parent or alone. */
    Node find(long fd) {
        return byFd.find(fd);
    }

    /** The node at a path, or null. */
    Node find(CrailPath path) {
        byte[] bytes = path.utf8();
        Node node = root;
        for (int i = 0; i < path.depth(); i++) {
            if (!(node instanceof Container container)) {
                return null;
            }
            int from = path.componentStart(i);
            int to = path.componentEnd(i);
            node = container.children.find(bytes, from, to, hash.of(bytes, from, to));
        }
        return node;
    }

    /** The container that holds, or would hold, the node at a path. */
    Container parentOf(CrailPath path) throws CrailException {
        byte[] bytes = path.utf8();
        Container container = root;
        for (int i = 0; i < path.depth() - 1; i++) {
            int from = path.componentStart(i);
            int to = path.componentEnd(i);
            Node node = container.children.find(bytes, from, to, hash.of(bytes, from, to));
            if (node == null) {
                throw new ParentNotFoundException("the parent of " + path + " does not exist; create it first");
            }
            if (!(node instanceof Container child)) {
                throw new ParentNotContainerException("component " + (i + 1) + " of " + path + " is a " + node.type()
                        + ", which holds no nodes; choose a path below a container");
            }
            container = child;
        }
        return container;
    }

    /** The hash by which a child with this name is found, and listed. */
    int hashOf(byte[] name) {
        return hash.of(name);
    }

    Node child(Container parent, byte[] name) {
        return parent.children.find(name, hash.of(name));
    }

    /** The node with an id, provided that its parent is in the tree; a put under way has no place there yet. */
    Node require(long fd) throws StaleNodeException {
        Node node = byFd.find(fd);
        if (node == null || !isInTree(node)) {
            throw new StaleNodeException(
                    "node " + fd + " has been removed or replaced, or never existed; look its path up again");
        }
        return node;
    }

    /** Whether a node hangs below the root, and not below a removed container. */
    private boolean isInTree(Node node) {
        return depthOf(node) >= 0;
    }

    /** How deep a node hangs below the root, which has 0; -1 if it does not. */
    int depthOf(Node node) {
        Node above = node;
        int depth = 0;
        // a path cannot be longer than there are nodes; an optimistic reader may see a circle
        for (int most = byFd.size(); above != root && above != null && depth <= most; depth++) {
            above = above.parent;
        }
        return above == root ? depth : -1;
    }

    /** Gives a node that is nowhere a place in the tree. */
    void link(Node node, Container parent, byte[] name) {
        assign(node, parent, name);
        place(node);
    }

    /** Tells a node where its place is going to be. */
    void assign(Node node, Container parent, byte[] name) {
        node.name = name;
        node.nameHash = hash.of(name);
        node.parent = parent;
    }

    /** Gives a node the place that it was told. */
    void place(Node node) {
        node.parent.children.put(node);
        lengthenPaths(node, node.parent);
    }

    private static void lengthenPaths(Node node, Container parent) {
        int bytes = 1 + node.name.length + (node instanceof Container container ? container.longestBelow : 0);
        for (Container above = parent; above != null && above.longestBelow < bytes; above = above.parent) {
            above.longestBelow = bytes;
            bytes += 1 + above.name.length;
        }
    }

    /** Takes the place of a node away; it may get it again. */
    void displace(Node node) {
        Container parent = node.parent;
        parent.children.remove(node);
        if (parent.children.size() == 0) {
            parent.longestBelow = 0;
        }
    }

    /** Takes a node, with all below it, out of the tree. */
    void unlink(Node node) {
        displace(node);
        node.parent = null;
    }

    /** Visits a part of all nodes, see {@link NodeTable#forEachOfPart}. */
    long forEachOfPart(long from, Consumer<Node> consumer) {
        return byFd.forEachOfPart(from, consumer);
    }

    /** Whether a node is found by its id. */
    boolean isKnown(Node node) {
        return byFd.find(node.fd) == node;
    }

    /** Makes a linked node known by its id. */
    void addFd(Node node) {
        byFd.put(node);
    }

    /** Forgets the id of a node that was unlinked. */
    void forgetFd(Node node) {
        byFd.remove(node);
    }
}
