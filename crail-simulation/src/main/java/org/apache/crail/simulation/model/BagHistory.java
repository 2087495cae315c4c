/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.model;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.crail.simulation.checks.History;
import org.apache.crail.simulation.checks.Promise;

/** The files of a bag: each is written once, and has a name of its own. Not thread safe. */
public final class BagHistory {
    /** By so many bytes files are told apart. */
    public static final int LEAST_BYTES = 16;

    /** Bytes of the next file may continue one that has been cut short by chance. */
    private static final int MOST_CHANCE = 3;

    private final History history;
    private final List<Part> parts = new ArrayList<>();

    BagHistory(History history) {
        this.history = history;
    }

    /** A file of the bag. */
    public static final class Part {
        private final Session session;
        private final int length;
        private long doneNs = Long.MAX_VALUE;
        private long removedNs = Long.MAX_VALUE;

        private Part(Session session, int length) {
            this.session = session;
            this.length = length;
        }

        /** It is there as a whole; else any part of it may be. */
        public void done(long nowNs) {
            doneNs = nowNs;
        }

        /** Somebody is about to remove it. */
        public void removed(long nowNs) {
            removedNs = Math.min(removedNs, nowNs);
        }

        private int matching(byte[] bytes, int from) {
            int count = 0;
            while (count < length && from + count < bytes.length && session.byteAt(count) == bytes[from + count]) {
                count++;
            }
            return count;
        }

        @Override
        public String toString() {
            return session + " of " + length;
        }
    }

    /** A name for a new file. */
    public String nextName() {
        return "p" + parts.size();
    }

    /** A file is about to be written. */
    public Part add(Session session, int length) {
        Part part = new Part(session, length);
        parts.add(part);
        return part;
    }

    /** Everything has gone. */
    void forgotten(long nowNs) {
        parts.forEach(part -> part.removed(nowNs));
    }

    /**
     * The bag was read between two times: each file is there once at most, and those that were there all the time are.
     */
    public void check(String how, byte[] bytes, long beginNs, long endNs) {
        Set<Part> found = new HashSet<>();
        if (!isRight(bytes, 0, found)) {
            history.broken(Promise.OWN_BYTES, how + ": " + bytes.length + " bytes are not those of files: " + parts);
            return;
        }
        for (Part part : parts) {
            if (part.doneNs < beginNs && part.removedNs > endNs && !found.contains(part)) {
                history.broken(Promise.WHOLE_BAGS, how + ": file " + part + " is missing among " + found);
            }
        }
    }

    private boolean isRight(byte[] bytes, int from, Set<Part> found) {
        if (from == bytes.length) {
            return true;
        }
        for (Part part : parts) {
            int most = part.matching(bytes, from);
            boolean isDone = part.doneNs < Long.MAX_VALUE;
            if (found.contains(part) || most < (isDone ? part.length : 1)) {
                continue;
            }
            found.add(part);
            for (int count = most; count > Math.max(0, most - (isDone ? 1 : MOST_CHANCE)); count--) {
                if (isRight(bytes, from + count, found)) {
                    return true;
                }
            }
            found.remove(part);
        }
        return false;
    }
}
