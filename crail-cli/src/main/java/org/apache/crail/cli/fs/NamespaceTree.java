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
import org.apache.crail.metadata.NodeStatus;

/** The namespace as commands on files see it. All methods are thread safe. */
final class NamespaceTree {
    private static final int LOOKUPS_IN_FLIGHT = 256;

    private final CrailStore store;
    private final CrailConfiguration conf;

    NamespaceTree(CrailStore store, CrailConfiguration conf) {
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
        List<CrailNode> children = ofEach(container, store::lookup);
        children.sort(Comparator.comparing(CrailNode::getPath));
        return children;
    }

    /** What is known of a node that a user named, its owner among it. */
    NodeStatus status(CrailPath path) throws Exception {
        NodeStatus status = store.namespace().status(path.toString()).get();
        if (status == null) {
            throw missing(path);
        }
        return status;
    }

    /** What is known of the enumerable children, by name. */
    List<NodeStatus> statuses(CrailPath container) throws Exception {
        CrailNode node = find(container);
        if (node == null || !node.getType().isContainer()) { // deleted or replaced since it was listed
            return List.of();
        }
        List<NodeStatus> statuses = ofEach(node, store.namespace()::status);
        statuses.sort(Comparator.comparing(NodeStatus::name));
        return statuses;
    }

    /** Asks for all children, many at a time. */
    private static <T> List<T> ofEach(CrailNode container, Question<T> question) throws Exception {
        List<T> answers = new ArrayList<>();
        Deque<Upcoming<T>> inFlight = new ArrayDeque<>();
        for (Iterator<String> paths = container.asContainer().listEntries(); paths.hasNext(); ) {
            inFlight.add(question.ask(paths.next()));
            if (inFlight.size() >= LOOKUPS_IN_FLIGHT) {
                take(inFlight, answers);
            }
        }
        while (!inFlight.isEmpty()) {
            take(inFlight, answers);
        }
        return answers;
    }

    private static <T> void take(Deque<Upcoming<T>> inFlight, List<T> answers) throws Exception {
        T answer = inFlight.remove().get();
        if (answer != null) { // else deleted since it was listed
            answers.add(answer);
        }
    }

    /** What the store is asked for a path. */
    private interface Question<T> {
        Upcoming<T> ask(String path) throws Exception;
    }

    /** Creates a node that is listed, where its parent's classes say. */
    CrailNode create(CrailPath path, CrailNodeType type) throws Exception {
        return outcome(store.create(path.toString(), type, CrailStorageClass.PARENT, CrailLocationClass.PARENT, true));
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
