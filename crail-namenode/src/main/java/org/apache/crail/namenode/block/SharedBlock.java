/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import java.util.BitSet;

/**
 * A block whose parts belong to different small nodes. All parts have the block's epoch, since tiers refuse former
 * owners block by block. So a part that came back is given out only after the block has begun a new epoch, which sends
 * everybody who knows a location in it to the namenode once: that is done for all such parts together. Not thread safe;
 * guarded by the namespace's lock.
 */
final class SharedBlock {
    private final int number;
    private final int parts;
    private final BitSet held = new BitSet();
    private final BitSet returned = new BitSet();
    private int heldParts;
    private int returnedParts;

    SharedBlock(int number, int parts) {
        this.number = number;
        this.parts = parts;
    }

    int number() {
        return number;
    }

    /** Parts that may be given out in the block's present epoch. */
    int ready() {
        return parts - heldParts - returnedParts;
    }

    /** Parts that may be given out in a new epoch. */
    int returned() {
        return returnedParts;
    }

    boolean isUnused() {
        return heldParts == 0;
    }

    /** The block has begun a new epoch. */
    void renew() {
        returned.clear();
        returnedParts = 0;
    }

    /** Gives out a part that is ready; there must be one. */
    int take() {
        int part = held.nextClearBit(0);
        while (returned.get(part)) {
            part = held.nextClearBit(part + 1);
        }
        held.set(part);
        heldParts++;
        return part;
    }

    /** Takes a part back. */
    void give(int part) {
        held.clear(part);
        heldParts--;
        returned.set(part);
        returnedParts++;
    }

    boolean isHeld(int part) {
        return held.get(part);
    }

    int heldParts() {
        return heldParts;
    }
}
