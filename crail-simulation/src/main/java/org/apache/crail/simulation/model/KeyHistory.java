/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.model;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The puts and deletes of one key, or of a file that is only replaced, and when a value may have got its place. Not
 * thread safe.
 */
public final class KeyHistory {
    private final List<Put> puts = new ArrayList<>();
    private final List<Change> changes = new ArrayList<>();

    /** A value from its creation on. */
    public final class Put {
        private final long length;
        private final boolean isFile;
        private final long beginNs;
        private long fd;
        private long madeNs;
        private long vanishesNs = Long.MAX_VALUE;

        private Put(long length, boolean isFile, long beginNs) {
            this.length = length;
            this.isFile = isFile;
            this.beginNs = beginNs;
        }

        /**
         * Whether a writer that failed may have left so many bytes: of a file, what it has written to the place that it
         * has.
         */
        private boolean mayLeave(long bytes) {
            boolean hasPlace =
                    !hasValueBefore(this) || values().anyMatch(part -> part.put == this && part.bytes < bytes);
            return isFile && bytes < length && hasPlace;
        }

        /** The node that it has made. */
        public void made(long node, long nowNs) {
            fd = node;
            madeNs = nowNs;
        }

        /** From then on, or from an earlier time that was told, its value may go by itself. */
        public void mayVanishFrom(long timeNs) {
            vanishesNs = Math.min(vanishesNs, timeNs);
        }

        /** A sync or the close begins, which shows so many bytes. */
        public Change shows(long bytes, long nowNs) {
            return add(new Change(this, bytes, nowNs));
        }

        @Override
        public String toString() {
            return "put " + length + " as " + Long.toHexString(fd) + " from " + beginNs / 1_000_000;
        }
    }

    /** A value gets its place, or has none any more. */
    public static final class Change {
        private final Put put;
        private final long bytes;
        private final long beginNs;
        private long endNs = Long.MAX_VALUE;

        private Change(Put put, long bytes, long beginNs) {
            this.put = put;
            this.bytes = bytes;
            this.beginNs = beginNs;
        }

        /** It has succeeded; else it may have happened, or happen at any time, but only as a whole. */
        public void done(long nowNs) {
            endNs = nowNs;
        }

        private boolean isDoneBefore(long timeNs) {
            return endNs < timeNs;
        }

        @Override
        public String toString() {
            return (put == null ? "delete" : bytes + " bytes of " + put) + " " + beginNs / 1_000_000 + ".."
                    + (endNs == Long.MAX_VALUE ? "?" : endNs / 1_000_000);
        }
    }

    private Change add(Change change) {
        changes.add(change);
        return change;
    }

    /** A put begins, of a key or of a file. */
    public Put put(long length, boolean isFile, long nowNs) {
        Put put = new Put(length, isFile, nowNs);
        puts.add(put);
        return put;
    }

    /** A delete begins. */
    public Change delete(long nowNs) {
        return add(new Change(null, 0, nowNs));
    }

    private Stream<Change> deletes() {
        return changes.stream().filter(change -> change.put == null);
    }

    private Stream<Change> values() {
        return changes.stream().filter(change -> change.put != null);
    }

    /** What is wrong with a lookup's answer, as a sentence; null if nothing is. */
    public String wrong(long fd, long capacity, long beginNs) {
        Put put = puts.stream().filter(each -> each.fd == fd).findFirst().orElse(null);
        if (put == null) {
            boolean mayBeFirst = deletes().findAny().isPresent()
                    || values().noneMatch(
                                    value -> value.isDoneBefore(beginNs) && value.put.vanishesNs == Long.MAX_VALUE);
            return mayBeFirst && capacity == 0
                    ? null // the node of a first put, whose writer has not heard of it yet
                    : "node " + Long.toHexString(fd) + " with " + capacity
                            + " bytes was shown, whose put has not told its node: " + changes;
        }
        if ((capacity == 0 && !hasValueBefore(put)) || put.mayLeave(capacity)) {
            return null;
        }
        String wrong = capacity + " bytes are shown of " + put + " among " + changes;
        for (Change shown : changes) {
            if (shown.put == put && shown.bytes == capacity) {
                Change later = laterThan(shown, beginNs);
                if (later == null) {
                    return null;
                }
                wrong = shown + " is shown at " + beginNs / 1_000_000 + " though " + later + " came later";
            }
        }
        return wrong;
    }

    private Change laterThan(Change shown, long beginNs) {
        return changes.stream()
                .filter(other -> other.isDoneBefore(beginNs) && other.beginNs > shown.endNs)
                .findFirst()
                .orElse(null);
    }

    /** Whether there was a value when a put began, for certain, which no delete has taken away since. */
    private boolean hasValueBefore(Put put) {
        return values().anyMatch(other -> other.put != put
                && other.isDoneBefore(put.beginNs)
                && other.put.vanishesNs > put.madeNs
                && deletes().noneMatch(delete -> delete.endNs > other.beginNs));
    }

    /** Whether the key has not been deleted since a put began. */
    public boolean isOnlyPutSince(Put put) {
        return deletes().noneMatch(delete -> delete.endNs > put.beginNs);
    }

    /** As {@link #wrong}, if nothing was found. */
    public String wrongIfMissing(long beginNs, long nowNs) {
        Change value = values().filter(each -> each.isDoneBefore(beginNs)
                        && each.put.vanishesNs > nowNs
                        && deletes().noneMatch(delete -> delete.endNs > each.beginNs))
                .findFirst()
                .orElse(null);
        return value == null
                ? null
                : "nothing is shown at " + beginNs / 1_000_000 + " though " + value + " among " + changes;
    }
}
