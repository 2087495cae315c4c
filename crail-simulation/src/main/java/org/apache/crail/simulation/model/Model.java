/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.model;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.crail.simulation.checks.History;
import org.apache.crail.simulation.checks.Promise;

/** What all clients together know of the store, and what therefore must be true. Confined to its scheduler. */
public final class Model {
    private final History history;
    private final Map<Long, NodeHistory> nodes = new HashMap<>();
    private final Map<String, KeyHistory> keys = new TreeMap<>();
    private final TreeHistory tree = new TreeHistory();
    private final Set<Long> created = new HashSet<>();
    private final BagHistory bag;
    private int sessions;
    private long verified;

    public Model(History history) {
        this.history = history;
        this.bag = new BagHistory(history);
    }

    public NodeHistory node(long fd) {
        return nodes.computeIfAbsent(fd, NodeHistory::new);
    }

    public TreeHistory tree() {
        return tree;
    }

    public BagHistory bag() {
        return bag;
    }

    /** The bytes of a new writer that nobody else follows. */
    public Session session(long nowNs) {
        return new Session(sessions++, 0, nowNs);
    }

    /** So many bytes have been compared elsewhere. */
    public void verified(long bytes) {
        verified += bytes;
    }

    public KeyHistory key(String path) {
        return keys.computeIfAbsent(path, name -> new KeyHistory());
    }

    /** A node has been created: no namenode gives its id again. */
    public void created(long fd) {
        if (!created.add(fd)) {
            history.broken(Promise.NAMES, "the id " + Long.toHexString(fd) + " has been given to two nodes");
        }
    }

    /** The namenode has been killed at {@code killedNs}, and another one knows nothing. */
    public void forgotten(long killedNs, long nowNs) {
        keys.values().forEach(key -> key.delete(killedNs).done(nowNs));
        tree.remove("", true, killedNs).done(nowNs);
        bag.forgotten(killedNs);
    }

    /**
     * A writer begins behind so many bytes.
     *
     * @param least how many there must have been when it asked, at {@code beginNs}
     */
    public Session open(long fd, long capacity, long least, long beginNs, long nowNs) {
        checkCapacity(fd, capacity, least);
        return node(fd).open(sessions++, capacity, beginNs, nowNs);
    }

    /**
     * The namenode has told how many bytes a node has.
     *
     * @param least what it must have had when it was asked
     */
    public void checkCapacity(long fd, long capacity, long least) {
        NodeHistory node = node(fd);
        if (capacity < least || capacity > node.mostCapacity()) {
            history.broken(
                    Promise.CAPACITY,
                    "node " + Long.toHexString(fd) + " has " + capacity + " bytes; there must be " + least + " to "
                            + node.mostCapacity());
        }
        node.certain(capacity);
    }

    public long leastCapacity(long fd) {
        return node(fd).leastCapacity();
    }

    /**
     * Bytes have been read.
     *
     * @param own the session of the object through which they were read; null if there was none
     */
    public void checkBytes(String how, long fd, long offset, byte[] bytes, int length, Session own) {
        verified += length;
        String wrong = node(fd).wrong(offset, bytes, length, own);
        if (wrong != null) {
            history.broken(Promise.OWN_BYTES, how + " of node " + Long.toHexString(fd) + ": " + wrong);
        }
    }

    /** Bytes that have been compared. */
    public long verified() {
        return verified;
    }
}
