/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.tree;

import java.util.Iterator;
import java.util.function.Consumer;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.NodeNotFoundException;
import org.apache.crail.error.ParentNotContainerException;
import org.apache.crail.error.ParentNotFoundException;
import org.apache.crail.error.StaleNodeException;
import org.apache.crail.internal.Surroundings;
import org.apache.crail.metadata.Ownership;

/**
 * All nodes, by path and by id, with their attributes and times of access. Not thread safe: changes need the
 * namespace's write lock; methods that find or tell also work for optimistic readers.
 */
public final class Tree {
    /** The ids of a namenode begin with a positive number, behind which many are left. */
    private static final int UNUSED_BITS_OF_IDS = 2;

    private final NameHash hash = NameHash.ofSecret();
    private final FdTable byFd = new FdTable();
    private final AttributeTable attributes = new AttributeTable();
    private final AccessTimes accessTimes = new AccessTimes();
    private final Expirations expirations = new Expirations();
    private final ClosedNodes closed = new ClosedNodes();
    private final Container root;
    private long lastFd;

    /** A tree of a root and nothing else. */
    public Tree(int rootClass, Ownership rootOwnership, long nowMs) {
        lastFd = Surroundings.nextLong() >>> UNUSED_BITS_OF_IDS;
        root = (Container) newNode(CrailNodeType.DIRECTORY, false, rootClass, 0, 0, rootOwnership, nowMs);
        root.name = new byte[0];
        byFd.put(root);
    }

    /**
     * Makes a node that is nowhere yet, and no id finds.
     *
     * @param isEnumerable whether the container that will have it lists it
     * @param timeToLiveMs 0 for no limit
     */
    public Node newNode(
            CrailNodeType type,
            boolean isEnumerable,
            int storageClass,
            int locationClass,
            long timeToLiveMs,
            Ownership ownership,
            long nowMs) {
        long fd = nextFd();
        Attributes shared = attributes.acquire(storageClass, locationClass, timeToLiveMs, ownership);
        Node node = type.isContainer()
                ? new Container(fd, type, isEnumerable, shared)
                : new Node(fd, type, isEnumerable, shared);
        node.modifiedMs = nowMs;
        return node;
    }

    /**
     * Ids count up from a random number, are never used twice and mean nothing. A namenode that starts without its
     * former state, with whatever clock, thus gives none that it gave before, which clients may
     * still hold.
     */
    private long nextFd() {
        return ++lastFd;
    }

    /**
     * Nodes that exist, those of removed containers counted until reclamation comes to them, and those that have yet to
     * get their places.
     */
    public int size() {
        return byFd.size();
    }

    /** The highest id that was given out. */
    long lastFd() {
        return lastFd;
    }

    /** The node at a path, or null. */
    public Node find(CrailPath path) {
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

    /** The node at a path. */
    public Node require(CrailPath path) throws NodeNotFoundException {
        Node node = find(path);
        if (node == null) {
            throw new NodeNotFoundException("no node has the path " + path + "; check the path");
        }
        return node;
    }

    /** The container that holds, or would hold, the node at a path. */
    public Container parentOf(CrailPath path) throws CrailException {
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

    /** The child with a name, or null. */
    public Node child(Container parent, byte[] name) {
        return parent.children.find(name, hash.of(name));
    }

    /**
     * Children in the order of listings.
     *
     * @param name those behind this name, in UTF-8; all if it is empty
     */
    public Iterator<Node> childrenAfter(Container parent, byte[] name) {
        return new OrderedChildren(parent.children, name, name.length == 0 ? 0 : hash.of(name));
    }

    /** The node with an id, provided that its parent is in the tree; a put under way has no place there yet. */
    public Node require(long fd) throws StaleNodeException {
        Node node = byFd.find(fd);
        if (node == null || !contains(node)) {
            throw new StaleNodeException(
                    "the node has been removed or replaced, or never existed; look its path up again");
        }
        return node;
    }

    /** Whether a node hangs below the root, and not below a removed container. */
    public boolean contains(Node node) {
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

    /** The child of the root that a node is below; null if it is not in the tree, or right below the root. */
    public Container topAbove(Node node) {
        Container top = node.parent;
        while (top != null && top.parent != null && top.parent != root) {
            top = top.parent;
        }
        return top == null || top.parent == null ? null : top;
    }

    /** How many bytes the path of a node has, or is going to have when it gets its place. */
    public int pathBytes(Node node) {
        int bytes = 1 + node.name.length;
        for (Container above = node.parent; above.parent != null; above = above.parent) {
            bytes += 1 + above.name.length;
        }
        return bytes;
    }

    /** Gives a node that is nowhere a place in the tree. */
    public void link(Node node, Container parent, byte[] name) {
        assign(node, parent, name);
        place(node);
    }

    /** Tells a node where its place is going to be. */
    public void assign(Node node, Container parent, byte[] name) {
        node.name = name;
        node.nameHash = hash.of(name);
        node.parent = parent;
    }

    /** Gives a node the place that it was told. */
    public void place(Node node) {
        node.parent.children.put(node);
        node.parent.listedCount += node.isEnumerable() ? 1 : 0;
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
    public void displace(Node node) {
        Container parent = node.parent;
        parent.children.remove(node);
        parent.listedCount -= node.isEnumerable() ? 1 : 0;
        if (parent.children.size() == 0) {
            parent.longestBelow = 0;
        }
    }

    /** Takes a node, with all below it, out of the tree. */
    public void unlink(Node node) {
        displace(node);
        detach(node);
    }

    /** A node that has no place is not going to get it. */
    public void detach(Node node) {
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

    /** Makes a node known by its id. */
    public void add(Node node) {
        byFd.put(node);
    }

    /** Forgets a node that was unlinked. */
    void forget(Node node) {
        byFd.remove(node);
        attributes.release(node.attributes);
        accessTimes.forget(node);
        keep(node);
        closed.remove(node);
    }

    /** Gives a node to somebody else. */
    public void changeOwnership(Node node, Ownership ownership) {
        Attributes former = node.attributes;
        node.attributes = attributes.acquire(former.storageClass, former.locationClass, former.timeToLiveMs, ownership);
        attributes.release(former);
    }

    /** Sets what is inherited by new nodes of a container, or begins with each close of another node. */
    public void changeTimeToLive(Node node, long timeToLiveMs) {
        Attributes former = node.attributes;
        node.attributes = attributes.acquire(former.storageClass, former.locationClass, timeToLiveMs, former.ownership);
        attributes.release(former);
    }

    /**
     * Sets when a node goes.
     *
     * @param atMs in time as far as the namenode ran, more than 0
     * @param isEnd whether a container goes whatever is in it
     */
    public void expire(Node node, long atMs, boolean isEnd) {
        expirations.set(node, isEnd ? -atMs : atMs);
    }

    /** Lets a node stay that was to go at some time. */
    public void keep(Node node) {
        expirations.set(node, 0);
    }

    /** The node whose time has been over for longest, also if it is not in the tree any more; null if none's is. */
    public Node nextToExpire(long nowMs) {
        return expirations.due(nowMs);
    }

    /** Nodes in the order of their closes; whoever closes them adds them, if anybody wants to know. */
    public ClosedNodes closed() {
        return closed;
    }

    /** Whether a node is going to be found at the time at which it goes, as it knows it; true if it stays. */
    boolean isExpirationKnown(Node node) {
        return !node.expires() || expirations.has(node);
    }

    /** How many nodes go at some time. */
    public int expiring() {
        return expirations.size();
    }

    /** How many nodes have attributes: all that exist, in a sound tree. */
    long nodesWithAttributes() {
        return attributes.users();
    }

    /** When a node was read last, as far as somebody has said so; else when it was changed last. */
    public long accessMs(Node node) {
        return accessTimes.of(node);
    }

    /** Sets when a node was read. */
    public void accessMs(Node node, long timeMs) {
        accessTimes.set(node, timeMs);
    }
}
