/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.Upcoming;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.NodeExistsException;
import org.apache.crail.error.NodeNotFoundException;
import org.apache.crail.error.NodeTypeMismatchException;

/** The namespace as commands on files see it. All methods are thread safe. */
final class Tree {
    private static final int LOOKUPS_IN_FLIGHT = 256;

    private final CrailStore store;
    private final CrailConfiguration conf;

    Tree(CrailStore store, CrailConfiguration conf) {
        this.store = store;
        this.conf = conf;
    }

    CrailStore store() {
        return store;
    }

    CrailConfiguration configuration() {
        return conf;
    }

    /** Reads a path that a user wrote. */
    CrailPath path(String text) throws CrailException {
        return RemotePath.parse(text, conf);
    }

    /** The node with a path, or null. */
    CrailNode find(CrailPath path) throws Exception {
        return store.lookup(path.toString()).get();
    }

    /** The node with a path that a user wrote. */
    CrailNode require(String text) throws Exception {
        CrailPath path = path(text);
        CrailNode node = find(path);
        if (node == null) {
            throw new NodeNotFoundException(path + " does not exist; check the path with crail fs -ls "
                    + (path.isRoot() ? "/" : path.parent()));
        }
        return node;
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
        if (child != null) { // deleted since it was listed
            children.add(child);
        }
    }

    /** Creates a node that is listed, where its parent's classes say. */
    CrailNode create(CrailPath path, CrailNodeType type) throws Exception {
        return outcome(store.create(path.toString(), type, CrailStorageClass.PARENT, CrailLocationClass.PARENT, true));
    }

    /**
     * The outcome of a change, waited for even by a thread that is interrupted, so that it knows what there is to clean up.
     * It stays interrupted. Bounded by the time limits of the store.
     */
    static <T> T outcome(Upcoming<T> change) throws ExecutionException, InterruptedException {
        CompletableFuture<T> outcome = change.toCompletableFuture();
        outcome.handle((value, failure) -> null).join();
        return outcome.get();
    }

    /** Waits until a new node can be found by listing its parent, even on a thread that is interrupted and stays so. */
    static void listed(CrailNode node) throws Exception {
        boolean interrupted = Thread.interrupted();
        boolean listed = false;
        try {
            while (!listed) {
                try {
                    node.syncDir();
                    listed = true;
                } catch (InterruptedIOException e) {
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
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
            return create(path, CrailNodeType.DIRECTORY).syncDir();
        } catch (ExecutionException e) {
            CrailNode other = e.getCause() instanceof NodeExistsException ? find(path) : null;
            if (other == null) {
                throw e;
            }
            return other;
        }
    }
}
