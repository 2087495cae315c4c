/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

/**
 * The known block locations of one node: a table in which a block's place is given by its index, so that it never holds
 * more than {@value #MAX_PLACES} and a block may push out another. Thread safe.
 */
final class FileBlocks {
    static final int MAX_PLACES = 512;

    private boolean hasLeast;
    private long leastExpiryNs;
    private LeasedBlock first;
    private LeasedBlock[] places = {};

    /** The location of block {@code index}, or null if it is unknown or its lease is over. */
    synchronized LeasedBlock get(long index, long nowNs) {
        LeasedBlock known = index == 0 ? first : places.length == 0 ? null : places[place(index)];
        return known != null && known.index == index && known.isValid(nowNs) ? known : null;
    }

    /** Keeps a location unless a later one of the same block is known, or it is to be {@link #forgetBefore forgotten}. Answers by how many places the table grew. */
    synchronized int put(LeasedBlock block) {
        if (hasLeast && block.expiryNs - leastExpiryNs < 0) {
            return 0;
        }
        if (block.index == 0) {
            first = later(first, block);
            return 0;
        }
        int grown = 0;
        if (places.length == 0) {
            grown = 4;
            places = new LeasedBlock[grown];
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

    /** Forgets the first block, unless a later request has confirmed it than the one whose lease ends at {@code expiryNs}. */
    synchronized void removeFirst(long expiryNs) {
        if (first != null && first.expiryNs - expiryNs <= 0) {
            first = null;
        }
    }

    /** Forgets all locations, and those that are put later but whose leases end before {@code expiryNs}. Answers by how many places the table shrank. */
    synchronized int forgetBefore(long expiryNs) {
        int shrunk = places.length;
        clear();
        hasLeast = true;
        leastExpiryNs = expiryNs;
        return shrunk;
    }

    synchronized void clear() {
        first = null;
        places = new LeasedBlock[0];
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
