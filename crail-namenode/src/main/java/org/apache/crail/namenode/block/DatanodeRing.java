/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Datanodes that can stand in for each other, each at a place of its own. Those that have nothing to give are not
 * looked at. Not thread safe; guarded by the namespace's lock.
 */
final class DatanodeRing {
    private final List<DatanodeLife> places = new ArrayList<>();
    private final BitSet taken = new BitSet();
    private final BitSet withBlock = new BitSet();
    private final BitSet withPart = new BitSet();
    private int last = -1;

    /** Gives a datanode the first empty place; answers which. */
    int add(DatanodeLife datanode) {
        int place = taken.nextClearBit(0);
        if (place == places.size()) {
            places.add(datanode);
        } else {
            places.set(place, datanode);
        }
        taken.set(place);
        return place;
    }

    void remove(int place) {
        mark(place, false, false);
        taken.clear(place);
        places.set(place, null);
    }

    /** Notes what the datanode at a place has to give. */
    void mark(int place, boolean hasFreeBlock, boolean hasFreePart) {
        withBlock.set(place, hasFreeBlock);
        withPart.set(place, hasFreePart);
    }

    /**
     * The next live datanode that has what is wanted, or null.
     *
     * @param avoided is not answered; null for none
     */
    DatanodeLife next(Wanted wanted, DatanodeLife avoided, BlockSelection selection) {
        int size = places.size();
        if (size == 0) {
            return null;
        }
        BitSet able = wanted == Wanted.PART ? withPart : withBlock;
        int begin = selection.begin(last, size);
        int place = nextLive(able, avoided, begin, size);
        place = place >= 0 ? place : nextLive(able, avoided, 0, begin);
        if (place < 0) {
            return null;
        }
        last = place;
        return places.get(place);
    }

    private int nextLive(BitSet able, DatanodeLife avoided, int begin, int end) {
        int place = able.nextSetBit(begin);
        while (place >= 0 && place < end && !isAnswered(places.get(place), avoided)) {
            place = able.nextSetBit(place + 1);
        }
        return place < end ? place : -1;
    }

    private static boolean isAnswered(DatanodeLife datanode, DatanodeLife avoided) {
        return datanode != avoided && datanode.isLive();
    }
}
