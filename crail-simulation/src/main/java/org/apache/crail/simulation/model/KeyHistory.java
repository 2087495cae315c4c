/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.model;

import java.util.ArrayList;
import java.util.List;

/** The puts and deletes of one key, with when they began and ended. Not thread safe. */
public final class KeyHistory {
    private final List<Change> changes = new ArrayList<>();

    /** A put, or a delete, which has no length. */
    public static final class Change {
        final long length;
        final long beginNs;
        long fd;
        long endNs = Long.MAX_VALUE;
        boolean isDone;

        Change(long length, long beginNs) {
            this.length = length;
            this.beginNs = beginNs;
        }

        /** The node that a put has made. */
        public void made(long node) {
            fd = node;
        }

        /** It has succeeded; else it may have happened, or happen at any time, but only as a whole. */
        public void done(long nowNs) {
            endNs = nowNs;
            isDone = true;
        }

        @Override
        public String toString() {
            return (length < 0 ? "delete" : "put " + length + " as " + Long.toHexString(fd)) + " " + beginNs / 1_000_000
                    + ".." + (isDone ? endNs / 1_000_000 : "?");
        }
    }

    public Change put(long length, long nowNs) {
        Change change = new Change(length, nowNs);
        changes.add(change);
        return change;
    }

    public Change delete(long nowNs) {
        return put(-1, nowNs);
    }

    /** What is wrong with a lookup's answer, as a sentence; null if nothing is. */
    public String wrong(long fd, long capacity, long beginNs, long endNs) {
        for (Change change : changes) {
            if (change.length >= 0 && (change.fd == fd)) {
                return wrong(change, capacity, beginNs);
            }
        }
        if (changes.stream().anyMatch(other -> other.length < 0)
                || changes.stream().noneMatch(other -> other.isDone && other.endNs < beginNs)) {
            return null; // the node of a first put, whose writer has not heard of it yet
        }
        return "node " + Long.toHexString(fd) + " with " + capacity
                + " bytes was shown, whose put has not told its node: " + changes;
    }

    private String wrong(Change shown, long capacity, long beginNs) {
        if (capacity != shown.length && hasValueBefore(shown)) {
            return capacity + " bytes are shown of " + shown + " among " + changes;
        }
        for (Change other : changes) {
            if (other.isDone && other.endNs < beginNs && other.beginNs > shown.endNs) {
                return shown + " is shown at " + beginNs / 1_000_000 + " though " + other + " came later";
            }
        }
        return null;
    }

    /** Whether there was a value when a put began, for certain, which no delete has taken away since. */
    private boolean hasValueBefore(Change put) {
        return changes.stream()
                .anyMatch(other -> other != put
                        && other.length >= 0
                        && other.isDone
                        && other.endNs < put.beginNs
                        && isOnlyPutSince(other));
    }

    /** Whether the key has not been deleted since a put began. */
    public boolean isOnlyPutSince(Change put) {
        return changes.stream().noneMatch(other -> other.length < 0 && other.endNs > put.beginNs);
    }

    /** As {@link #wrong}, if nothing was found. */
    public String wrongIfMissing(long beginNs) {
        for (Change put : changes) {
            if (put.length >= 0 && put.isDone && put.endNs < beginNs) {
                boolean mayBeDeleted =
                        changes.stream().anyMatch(other -> other.length < 0 && other.endNs > put.beginNs);
                if (!mayBeDeleted) {
                    return "nothing is shown at " + beginNs / 1_000_000 + " though " + put + " among " + changes;
                }
            }
        }
        return null;
    }
}
