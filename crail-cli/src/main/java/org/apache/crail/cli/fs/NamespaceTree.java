/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.Upcoming;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.NodeExistsException;
import org.apache.crail.error.NodeNotFoundException;
import org.apache.crail.error.NodeTypeMismatchException;
import org.apache.crail.error.ParentNotContainerException;
import org.apache.crail.metadata.ChildrenPage;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.metadata.Ownership;
import org.apache.crail.metadata.StatusChange;
import org.apache.crail.metadata.StoreCapacity;

/** The namespace as commands on files see it. All methods are thread safe. */
final class NamespaceTree {
    private static final int LOOKUPS_IN_FLIGHT = 256;
    private static final int DIRECTORY_PERMISSION = 0755;
    private static final int FILE_PERMISSION = 0644;

    /** Who runs this process; empty if Java finds no name, which leaves the owner of the parent. */
    private static final String USER =
            System.getProperty("user.name", "").equals("?") ? "" : System.getProperty("user.name", "");

    private final CrailStore store;
    private final CrailConfiguration conf;
    private final String prefix;
    private volatile int blockSizeBytes;

    /** The namespace that paths without an address lead to. */
    NamespaceTree(CrailStore store, CrailConfiguration conf) {
        this(store, conf, "");
    }

    /**
     * A namespace.
     *
     * @param prefix what its paths begin with when they are shown
     */
    NamespaceTree(CrailStore store, CrailConfiguration conf, String prefix) {
        this.store = store;
        this.conf = conf;
        this.prefix = prefix;
    }

    CrailStore store() {
        return store;
    }

    CrailConfiguration configuration() {
        return conf;
    }

    /** What paths begin with when they are shown: nothing, or the address of the namenode. */
    String prefix() {
        return prefix;
    }

    /** The node with a path, or null. */
    CrailNode find(CrailPath path) throws Exception {
        return store.lookup(path.toString()).get();
    }

    /** Whether a node has a path, of which any part may be a file. */
    boolean exists(CrailPath path) throws Exception {
        try {
            return find(path) != null;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ParentNotContainerException) {
                return false;
            }
            throw e;
        }
    }

    /** The node with a path, which must exist. */
    CrailNode require(CrailPath path) throws Exception {
        CrailNode node = find(path);
        if (node == null) {
            throw missing(path);
        }
        return node;
    }

    private static NodeNotFoundException missing(CrailPath path) {
        return new NodeNotFoundException(
                path + " does not exist; check the path with crail fs -ls " + (path.isRoot() ? "/" : path.parent()));
    }

    /** A node's bytes, whether it is a file or a key-value. */
    static CrailFile file(CrailNode node) throws Exception {
        if (node.getType().isContainer()) {
            throw new NodeTypeMismatchException(
                    node.getPath() + " is a " + label(node.getType()) + "; name a file or a key-value");
        }
        return node.getType().isKeyValue() ? node.asKeyValue() : node.asFile();
    }

    /** A type in words. */
    static String label(CrailNodeType type) {
        return switch (type) {
            case DATAFILE -> "file";
            case DIRECTORY -> "directory";
            case MULTIFILE -> "multifile";
            case STREAMFILE -> "streamfile";
            case TABLE -> "table";
            case KEYVALUE -> "keyvalue";
        };
    }

    /** The enumerable children, by name. */
    List<CrailNode> children(CrailNode container) throws Exception {
        List<CrailNode> children = new ArrayList<>();
        Deque<Upcoming<CrailNode>> inFlight = new ArrayDeque<>();
        for (Iterator<String> paths = container.asContainer().listEntries(); paths.hasNext(); ) {
            inFlight.add(store.lookup(paths.next()));
            if (inFlight.size() >= LOOKUPS_IN_FLIGHT) {
                take(inFlight, children);
            }
        }
        while (!inFlight.isEmpty()) {
            take(inFlight, children);
        }
        children.sort(Comparator.comparing(CrailNode::getPath));
        return children;
    }

    private static void take(Deque<Upcoming<CrailNode>> inFlight, List<CrailNode> children) throws Exception {
        CrailNode child = inFlight.remove().get();
        if (child != null) { // else deleted since it was listed
            children.add(child);
        }
    }

    /** What is known of a node that a user named, its owner among it. */
    NodeStatus status(CrailPath path) throws Exception {
        NodeStatus status = store.namespace().status(path.toString()).get();
        if (status == null) {
            throw missing(path);
        }
        return status;
    }

    /** What is known of the enumerable children, by name; none if this is no container any more. */
    List<NodeStatus> statuses(CrailPath container) throws Exception {
        List<NodeStatus> statuses = new ArrayList<>();
        try {
            String after = "";
            ChildrenPage page;
            do {
                page = store.namespace().children(container.toString(), after).get();
                page.children().stream()
                        .filter(child -> child.file().isEnumerable())
                        .forEach(statuses::add);
                after = page.isLast() ? after : page.lastName();
            } while (!page.isLast());
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof NodeNotFoundException || e.getCause() instanceof NodeTypeMismatchException)) {
                throw e;
            }
        }
        statuses.sort(Comparator.comparing(NodeStatus::name));
        return statuses;
    }

    /** The enumerable children with some names, by name; none if this is no container. */
    List<CrailPath> childPaths(CrailPath container, Predicate<String> names) throws Exception {
        List<CrailPath> paths = new ArrayList<>();
        for (NodeStatus child : statuses(container)) {
            if (names.test(child.name())) {
                paths.add(container.child(child.name()));
            }
        }
        return paths;
    }

    /** Creates a node of the user that is listed, where its parent's classes say. */
    CrailNode create(CrailPath path, CrailNodeType type) throws Exception {
        Ownership ownership = new Ownership(USER, "", type.isContainer() ? DIRECTORY_PERMISSION : FILE_PERMISSION);
        return outcome(store.namespace()
                .create(path.toString(), type, CrailStorageClass.PARENT, CrailLocationClass.PARENT, ownership, false));
    }

    /**
     * The outcome of a change, waited for even by a thread that is interrupted, so that it knows what there is to clean
     * up. It stays interrupted. Bounded by the time limits of the store.
     */
    static <T> T outcome(Upcoming<T> change) throws ExecutionException, InterruptedException {
        CompletableFuture<T> outcome = change.toCompletableFuture();
        outcome.handle((value, failure) -> null).join();
        return outcome.get();
    }

    /**
     * Makes sure that a container exists, whose parent does.
     *
     * @param of what is copied there, for a message
     */
    void makeContainer(CrailPath path, CrailNodeType type, String of) throws Exception {
        CrailNode node = find(path);
        if (node == null) {
            CrailNode ignored = create(path, type);
        } else if (!node.getType().isContainer()) {
            throw new NodeExistsException(path + " is a " + label(node.getType()) + ", and " + of + " is a "
                    + label(type) + "; choose another path");
        }
    }

    /** The size of a block of the cluster, which is asked for once. */
    int blockSizeBytes() throws Exception {
        if (blockSizeBytes == 0) {
            blockSizeBytes = capacity().blockSizeBytes();
        }
        return blockSizeBytes;
    }

    /** The bytes of the cluster. */
    StoreCapacity capacity() throws Exception {
        return store.namespace().capacity().get();
    }

    /** Sets properties of a node. */
    void change(CrailPath path, StatusChange change) throws Exception {
        NodeStatus ignored = store.namespace().change(path.toString(), change).get();
    }

    /** Makes sure that a directory exists, with all above it. */
    void makeDirectories(CrailPath path) throws Exception {
        CrailNode node = find(path);
        if (node == null) {
            makeDirectories(path.parent());
            node = createOrFind(path);
        }
        if (!node.getType().isContainer()) {
            throw new NodeExistsException(
                    path + " exists and is a " + label(node.getType()) + ", not a directory; choose another path");
        }
    }

    private CrailNode createOrFind(CrailPath path) throws Exception {
        try {
            return create(path, CrailNodeType.DIRECTORY);
        } catch (ExecutionException e) {
            CrailNode other = e.getCause() instanceof NodeExistsException ? find(path) : null;
            if (other == null) {
                throw e;
            }
            return other;
        }
    }
}
