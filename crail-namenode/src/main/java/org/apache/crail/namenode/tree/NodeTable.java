/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.tree;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * A hash table of nodes that grows by splitting one segment at a time, so that no operation moves more than a segment
 * (extendible hashing; Fagin et al., TODS 1979). Segments are open-addressing tables with a byte of hash per slot, so
 * that a search touches few nodes that it does not want. Not thread safe: changes need the namespace's write lock;
 * searches also work for optimistic readers, whom a void stamp tells that they may have missed something.
 */
abstract class NodeTable {
    /** How many hashes there are. */
    static final long HASHES = 1L << Integer.SIZE;

    private static final int MIN_SLOTS = 4;
    private static final int MAX_SLOTS = 2048;
    private static final int MAX_DEPTH = 24;

    /**
     * Two segments that hold no more together become one; a third of what lets one split, so that few changes do both.
     */
    private static final int FEW_IN_TWO = MAX_SLOTS / 4;

    private Segment[] directory = {new Segment(MIN_SLOTS, 0)};
    private int size;

    /** Segments that have one entry in the directory; only where there are several entries. */
    private int atFullDepth;

    /** The hash under which a node is kept. */
    abstract int hashOf(Node node);

    final int size() {
        return size;
    }

    /** The segment that holds nodes with this hash; null only for optimistic readers. */
    final Segment segment(int hash) {
        Segment[] all = directory;
        return all[indexOf(hash, all.length)];
    }

    final void put(Node node) {
        int hash = hashOf(node);
        Segment segment = segment(hash);
        while (segment.isFull()) {
            makeRoom(segment, hash);
            segment = segment(hash);
        }
        segment.insert(node, hash);
        size++;
    }

    final void remove(Node node) {
        int hash = hashOf(node);
        Segment segment = segment(hash);
        if (segment.remove(node, this)) {
            size--;
            if (segment.depth > 0 && segment.used <= FEW_IN_TWO) {
                mergeAll(segment, hash);
            }
        }
        if (size == 0 && segment(hash).slots() > MIN_SLOTS) {
            directory = new Segment[] {new Segment(MIN_SLOTS, 0)};
            atFullDepth = 0;
        }
    }

    /** Puts a segment and the one that was split from it together, as long as the two hold few. */
    private void mergeAll(Segment sparse, int hash) {
        Segment merged = sparse;
        while (merged != null && merged.depth > 0) {
            merged = merge(merged, hash);
        }
        while (directory.length > 1 && atFullDepth == 0) {
            halveDirectory();
        }
    }

    /** Answers what has come of the two, or null if they stay. */
    private Segment merge(Segment segment, int hash) {
        int covered = directory.length >>> segment.depth;
        int first = indexOf(hash, directory.length) & -covered;
        Segment other = directory[first ^ covered];
        if (other == null || other.depth != segment.depth || segment.used + other.used > FEW_IN_TWO) {
            return null;
        }
        Segment merged = new Segment(MAX_SLOTS, segment.depth - 1);
        segment.forEach(node -> merged.insert(node, hashOf(node)));
        other.forEach(node -> merged.insert(node, hashOf(node)));
        int start = first & -(2 * covered);
        Arrays.fill(directory, start, start + 2 * covered, merged);
        atFullDepth -= covered == 1 ? 2 : 0;
        return merged;
    }

    private void halveDirectory() {
        Segment[] halved = new Segment[directory.length / 2];
        for (int i = 0; i < halved.length; i++) {
            halved[i] = directory[2 * i];
            atFullDepth += halved[i] != null && 1 << halved[i].depth == halved.length ? 1 : 0;
        }
        directory = halved;
    }

    /** How many entries the directory has, for tests. */
    final int directoryLength() {
        return directory.length;
    }

    /**
     * Visits a part of the table: the nodes of a segment whose hashes, taken as unsigned, are not below {@code from}.
     * Who goes on with what is answered visits each node that stays, and none twice, whatever changes in between.
     *
     * @param from from 0 up to {@link #HASHES}, which is the end
     * @return where the next part begins
     */
    final long forEachOfPart(long from, Consumer<Node> consumer) {
        Segment segment = segment((int) from);
        int covered = segment == null ? 1 : directory.length >>> segment.depth;
        long first = indexOf((int) from, directory.length) & -covered;
        if (segment != null) {
            segment.forEach(node -> {
                if (Integer.toUnsignedLong(hashOf(node)) >= from) {
                    consumer.accept(node);
                }
            });
        }
        return (first + covered) * (HASHES / directory.length);
    }

    /** Takes a part of the table away, for a table that is not searched any more; false when nothing is left. */
    final boolean drainPart(Consumer<Node> consumer) {
        int end = directory.length;
        while (end > 0 && directory[end - 1] == null) {
            end--;
        }
        if (end == 0) {
            return false;
        }
        Segment segment = directory[end - 1];
        for (int i = end - 1; i >= 0 && directory[i] == segment; i--) {
            directory[i] = null;
        }
        segment.forEach(consumer);
        return true;
    }

    private static int indexOf(int hash, int directoryLength) {
        // the upper bits; shifted in two steps because a shift by 32 does nothing
        return hash >>> 1 >>> (Integer.SIZE - 1 - Integer.numberOfTrailingZeros(directoryLength));
    }

    private void makeRoom(Segment segment, int hash) {
        if (segment.slots() < MAX_SLOTS || segment.depth == MAX_DEPTH) {
            replace(segment, hash, new Segment(segment.slots() * 2, segment.depth));
            return;
        }
        if (1 << segment.depth == directory.length) {
            doubleDirectory();
        }
        split(segment, hash);
    }

    private void replace(Segment old, int hash, Segment grown) {
        old.forEach(node -> grown.insert(node, hashOf(node)));
        int covered = directory.length >>> old.depth;
        int first = indexOf(hash, directory.length) & -covered;
        Arrays.fill(directory, first, first + covered, grown);
    }

    private void doubleDirectory() {
        Segment[] grown = new Segment[directory.length * 2];
        for (int i = 0; i < grown.length; i++) {
            grown[i] = directory[i >>> 1];
        }
        directory = grown;
        atFullDepth = 0;
    }

    private void split(Segment old, int hash) {
        int covered = directory.length >>> old.depth;
        int first = indexOf(hash, directory.length) & -covered;
        int middle = first + covered / 2;
        Segment lower = new Segment(MAX_SLOTS, old.depth + 1);
        Segment upper = new Segment(MAX_SLOTS, old.depth + 1);
        old.forEach(node -> {
            int nodeHash = hashOf(node);
            (indexOf(nodeHash, directory.length) < middle ? lower : upper).insert(node, nodeHash);
        });
        Arrays.fill(directory, first, middle, lower);
        Arrays.fill(directory, middle, first + covered, upper);
        atFullDepth += covered == 2 ? 2 : 0;
    }

    /** An open-addressing table with linear probing; the lower bits of the hash choose the slot, others the tag. */
    static final class Segment {
        private static final int TAG_SHIFT = 11;
        private static final int TAG_BITS = 0x7F;
        private static final int IN_USE = 0x80;

        final Node[] nodes;
        final byte[] tags;
        private final int depth;
        private int used;

        Segment(int slots, int depth) {
            this.nodes = new Node[slots];
            this.tags = new byte[slots];
            this.depth = depth;
        }

        /** What stands beside a node with this hash; 0 stands beside free slots. */
        static byte tag(int hash) {
            return (byte) (IN_USE | (hash >>> TAG_SHIFT & TAG_BITS));
        }

        int slots() {
            return nodes.length;
        }

        boolean isFull() {
            return used >= nodes.length - (nodes.length >>> 2);
        }

        void insert(Node node, int hash) {
            int mask = nodes.length - 1;
            int i = hash & mask;
            while (tags[i] != 0) {
                i = i + 1 & mask;
            }
            nodes[i] = node;
            tags[i] = tag(hash);
            used++;
        }

        boolean remove(Node node, NodeTable table) {
            int mask = nodes.length - 1;
            int i = table.hashOf(node) & mask;
            while (nodes[i] != node) {
                if (tags[i] == 0) {
                    return false;
                }
                i = i + 1 & mask;
            }
            closeGap(i, mask, table);
            used--;
            return true;
        }

        private void closeGap(int freed, int mask, NodeTable table) {
            int gap = freed;
            int i = gap + 1 & mask;
            while (tags[i] != 0) {
                int home = table.hashOf(nodes[i]) & mask;
                if ((i - home & mask) >= (i - gap & mask)) {
                    nodes[gap] = nodes[i];
                    tags[gap] = tags[i];
                    gap = i;
                }
                i = i + 1 & mask;
            }
            nodes[gap] = null;
            tags[gap] = 0;
        }

        void forEach(Consumer<Node> consumer) {
            for (Node node : nodes) {
                if (node != null) {
                    consumer.accept(node);
                }
            }
        }
    }
}
