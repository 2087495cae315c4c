/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.block;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Which blocks, or parts of one block, a count has found, and which have changed since it began. Takes memory in
 * chunks, for what has been marked, so that no step depends on how many there are. Not thread safe; guarded by the
 * namespace's lock.
 */
final class AuditMarks {
    /** What a find means. */
    enum Find {
        /** It has been found for the first time. */
        NEW,

        /** It has changed since the count began, and says nothing. */
        CHANGED,

        /** It has been found elsewhere too. */
        TWICE
    }

    private static final int CHUNK = 1 << 16;

    private BitSet[] found = {};
    private BitSet[] changed = {};
    private int foundCount;
    private boolean hasChanged;

    /** Notes that something is found. */
    Find find(int index) {
        int chunk = index / CHUNK;
        ensure(chunk);
        if (changed[chunk].get(index % CHUNK)) {
            return Find.CHANGED;
        }
        if (found[chunk].get(index % CHUNK)) {
            return Find.TWICE;
        }
        found[chunk].set(index % CHUNK);
        foundCount++;
        return Find.NEW;
    }

    /** Notes that something changes; whether it had not been found, and counts as found from now on. */
    boolean change(int index) {
        return change(index, index + 1) == 1;
    }

    /** The same for all from one on and before another; answers how many of them had not been found. */
    int change(int from, int end) {
        hasChanged = true;
        int before = foundCount;
        for (int at = from; at < end; ) {
            int chunk = at / CHUNK;
            ensure(chunk);
            int first = at % CHUNK;
            int last = Math.min(CHUNK, first + end - at);
            changed[chunk].set(first, last);
            if (last - first == 1) {
                foundCount += found[chunk].get(first) ? 0 : 1;
            } else {
                foundCount += last - first - found[chunk].get(first, last).cardinality();
            }
            found[chunk].set(first, last);
            at += last - first;
        }
        return foundCount - before;
    }

    private void ensure(int chunk) {
        if (chunk >= found.length) {
            int length = Math.max(chunk + 1, found.length * 2);
            found = Arrays.copyOf(found, length);
            changed = Arrays.copyOf(changed, length);
        }
        if (found[chunk] == null) {
            found[chunk] = new BitSet();
            changed[chunk] = new BitSet();
        }
    }

    /** How many have been found. */
    int found() {
        return foundCount;
    }

    boolean hasChanged() {
        return hasChanged;
    }

    /** Where to go on to look for what has not been found: there, or where another chunk begins. */
    int firstMissing(int from) {
        int chunk = from / CHUNK;
        return chunk >= found.length || found[chunk] == null
                ? from
                : chunk * CHUNK + found[chunk].nextClearBit(from % CHUNK);
    }

    boolean isFound(int index) {
        int chunk = index / CHUNK;
        return chunk < found.length && found[chunk] != null && found[chunk].get(index % CHUNK);
    }
}
