/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.block;

/**
 * The known block locations of one node, all of one layout: the latest that the store has heard of. Whoever learns a
 * capacity tells the layout that came with it first, and so finds no location from before. A block's place in the table
 * is given by its index, so that the table never holds more than {@value #MAX_PLACES} and a block may push out another.
 * Thread safe.
 */
public final class FileBlocks {
    static final int MAX_PLACES = 512;

    private static final LeasedBlock[] NO_PLACES = {};

    private volatile long layout;
    private LeasedBlock first;
    private LeasedBlock[] places = NO_PLACES;

    /** The location of block {@code index}, or null if it is unknown or its lease is over. */
    LeasedBlock get(long index, long nowNs) {
        LeasedBlock known = latest(index);
        return known != null && known.isValid(nowNs) ? known : null;
    }

    /** The location of block {@code index}, whose lease may be over, or null if it is unknown. */
    synchronized LeasedBlock latest(long index) {
        LeasedBlock known = index == 0 ? first : places.length == 0 ? null : places[place(index)];
        return known != null && known.index == index ? known : null;
    }

    /** The layout of the locations, see {@link org.apache.crail.metadata.FileInfo#layout}. */
    public long layout() {
        return layout;
    }

    /** Forgets all locations if they are of an earlier layout. Answers by how many places the table grew, 0 or less. */
    synchronized int heard(long told) {
        if (told <= layout) {
            return 0;
        }
        layout = told;
        return clear();
    }

    /**
     * As {@link #heard}, of the layout that is the next one because the node has lost its blocks behind the first
     * {@code kept}: the others stay.
     */
    synchronized int truncated(long told, int kept) {
        if (told != layout + 1) {
            return heard(told);
        }
        layout = told;
        if (kept == 0) {
            return clear();
        }
        for (int i = 0; i < places.length; i++) {
            if (places[i] != null && places[i].index >= kept) {
                places[i] = null;
            }
        }
        return 0;
    }

    /**
     * Keeps a location of a layout, unless a later layout or a later location of the same block is known. Answers by
     * how many places the table grew.
     */
    synchronized int put(LeasedBlock block, long told) {
        if (told < layout) {
            return 0;
        }
        int grown = heard(told);
        if (block.index == 0) {
            first = later(first, block);
            return grown;
        }
        if (places.length == 0) {
            places = new LeasedBlock[4];
            grown += places.length;
        }
        while (isTakenByNeighbour(block.index) && places.length < MAX_PLACES) {
            grown += places.length;
            grow();
        }
        int place = place(block.index);
        places[place] = later(places[place], block);
        return grown;
    }

    private boolean isTakenByNeighbour(long index) {
        LeasedBlock known = places[place(index)];
        return known != null && known.index != index;
    }

    private static LeasedBlock later(LeasedBlock known, LeasedBlock block) {
        boolean keep = known != null && known.index == block.index && known.expiryNs - block.expiryNs > 0;
        return keep ? known : block;
    }

    private void grow() {
        LeasedBlock[] old = places;
        places = new LeasedBlock[2 * old.length];
        for (LeasedBlock block : old) {
            if (block != null) {
                places[place(block.index)] = block;
            }
        }
    }

    private int place(long index) {
        return (int) index & (places.length - 1);
    }

    /** Forgets one location, if it is still the known one. */
    synchronized void remove(LeasedBlock block) {
        if (block == first) {
            first = null;
        } else if (places.length > 0 && places[place(block.index)] == block) {
            places[place(block.index)] = null;
        }
    }

    /** Forgets all locations. Answers by how many places the table grew, 0 or less. */
    synchronized int clear() {
        int shrunk = places.length;
        first = null;
        places = NO_PLACES;
        return -shrunk;
    }

    /** Whether there were locations and none can be used any more. */
    synchronized boolean isExpired(long nowNs) {
        if (first == null && places.length == 0) {
            return false;
        }
        if (first != null && first.isValid(nowNs)) {
            return false;
        }
        for (LeasedBlock block : places) {
            if (block != null && block.isValid(nowNs)) {
                return false;
            }
        }
        return true;
    }

    /** What the table weighs in the cache. */
    synchronized int weight() {
        return 1 + places.length;
    }
}
