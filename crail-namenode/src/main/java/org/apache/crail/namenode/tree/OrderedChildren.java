/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.tree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Children of a container behind a name, in the order of the hashes of names, which is the order of the table, and of
 * the names where hashes are equal: so a path has the same place whatever node has it. Parts of the table are bounded,
 * and put in order a piece at a time, as a page may end in the first. Not thread safe; needs the namespace's read lock.
 */
final class OrderedChildren implements Iterator<Node> {
    private static final int PIECES = 32;

    private static final Comparator<Node> ORDER = Comparator.<Node>comparingInt(
                    node -> node.nameHash ^ Integer.MIN_VALUE)
            .thenComparing(node -> node.name, Arrays::compareUnsigned);

    private final ChildTable table;
    private final byte[] after;
    private final int afterHash;
    private final List<List<Node>> pieces = new ArrayList<>(PIECES);
    private Iterator<Node> present = Collections.emptyIterator();
    private int nextPiece = PIECES;
    private long nextPart;

    /**
     * Begins.
     *
     * @param after the name, in UTF-8; empty for all children
     * @param afterHash its hash; 0 for an empty one
     */
    OrderedChildren(ChildTable table, byte[] after, int afterHash) {
        this.table = table;
        this.after = after;
        this.afterHash = afterHash;
        this.nextPart = Integer.toUnsignedLong(afterHash);
        for (int i = 0; i < PIECES; i++) {
            pieces.add(new ArrayList<>());
        }
    }

    @Override
    public boolean hasNext() {
        while (!present.hasNext() && (nextPiece < PIECES || nextPart < NodeTable.HASHES)) {
            if (nextPiece == PIECES) {
                takePart();
            }
            List<Node> piece = pieces.get(nextPiece++);
            piece.sort(ORDER);
            present = piece.iterator();
        }
        return present.hasNext();
    }

    private void takePart() {
        long begin = nextPart;
        List<Node> part = new ArrayList<>();
        nextPart = table.forEachOfPart(begin, node -> {
            if (node.nameHash != afterHash || Arrays.compareUnsigned(node.name, after) > 0) {
                part.add(node);
            }
        });
        pieces.forEach(List::clear);
        long hashesOfPiece = (nextPart - begin + PIECES - 1) / PIECES;
        for (Node node : part) {
            long place = Integer.toUnsignedLong(node.nameHash) - begin;
            pieces.get((int) (place / hashesOfPiece)).add(node);
        }
        nextPiece = 0;
    }

    @Override
    public Node next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return present.next();
    }
}
