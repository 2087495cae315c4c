/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The order in which the children of a container are listed. A node's rank is its id, but a node that takes over the path of a later
 * one inherits that one's rank: otherwise a listing that has passed the former and has not reached the latter would miss the path,
 * which has existed all the time. Only inherited ranks are kept here; they take no memory from other nodes. Reading the rank of a node
 * is thread safe, also beside a change; all else needs the namespace's lock.
 */
final class ListingOrder {
    private final Tree tree;
    private final Map<Long, Long> byFd = new ConcurrentHashMap<>();
    private final Map<Long, Node> byRank = new HashMap<>();

    ListingOrder(Tree tree) {
        this.tree = tree;
    }

    /** The rank of a node. */
    long rankOf(Node node) {
        Long rank = node.hasInheritedRank ? byFd.get(node.fd) : null;
        return rank == null ? node.fd : rank;
    }

    /** The node with a rank, or null; it may have been removed, with its parent or alone. */
    Node find(long rank) {
        Node heir = byRank.isEmpty() ? null : byRank.get(rank);
        if (heir != null) {
            return heir;
        }
        Node node = tree.find(rank);
        return node == null || node.hasInheritedRank ? null : node;
    }

    /** A node gets the path of another one, which has no path any more. */
    void inherit(Node heir, Node former) {
        long rank = rankOf(former);
        forget(former);
        if (rank > rankOf(heir)) {
            forget(heir);
            keep(heir, rank);
        }
    }

    /** A node gets a place: it has a rank that no other one has, also if an heir has got that of its id meanwhile. */
    void placed(Node node) {
        if (!node.hasInheritedRank && byRank.containsKey(node.fd)) {
            keep(node, tree.nextFd());
        }
    }

    private void keep(Node node, long rank) {
        byFd.put(node.fd, rank);
        byRank.put(rank, node);
        node.hasInheritedRank = true;
    }

    /** A node ends, or loses its path to an heir. */
    void forget(Node node) {
        if (node.hasInheritedRank) {
            node.hasInheritedRank = false;
            byRank.remove(byFd.remove(node.fd));
        }
    }

    /** For how many nodes something is kept; -1 if the two tables do not agree. */
    int size() {
        return byFd.size() == byRank.size() ? byFd.size() : -1;
    }
}
