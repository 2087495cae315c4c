/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.model;

import java.util.ArrayList;
import java.util.List;
import org.apache.crail.CrailNodeType;

/**
 * What operations have done to paths, and when. An answer is right if some state between its question and itself allows
 * it. An operation in doubt may take effect at any later time. Not thread safe.
 */
public final class TreeHistory {
    private final List<Change> changes = new ArrayList<>();

    /** What one operation does: takes away what is at and below a path, and places a node at another one. */
    public final class Change {
        private final String from;
        private final String to;
        private final boolean isDeep;
        private final long beginNs;
        private CrailNodeType type;
        private long endNs = Long.MAX_VALUE;

        private Change(String from, String to, boolean isDeep, CrailNodeType type, long beginNs) {
            this.from = from;
            this.to = to;
            this.isDeep = isDeep;
            this.type = type;
            this.beginNs = beginNs;
            changes.add(this);
        }

        /** It has been done; a change that nobody knows the end of may be done at any time, or never. */
        public void done(long nowNs) {
            endNs = nowNs;
        }

        /** It has been done, to a node of this type. */
        public void done(CrailNodeType known, long nowNs) {
            type = known;
            endNs = nowNs;
        }

        /** It is not going to be done. */
        public void refused() {
            changes.remove(this);
        }

        private boolean concerns(String path) {
            return path.equals(to) || isMovedTo(path) || isTakenFrom(path);
        }

        private boolean isTakenFrom(String path) {
            return from != null && (path.equals(from) || (isDeep && path.startsWith(from + "/")));
        }

        /** What is below a directory comes along. */
        private boolean isMovedTo(String path) {
            return from != null && to != null && type != CrailNodeType.DATAFILE && path.startsWith(to + "/");
        }

        /** Whether a path may have a node of this type behind the change, or none if that is null. */
        private boolean allows(String path, CrailNodeType wanted) {
            if (path.equals(to)) {
                return wanted != null && (type == null || type == wanted);
            }
            return isMovedTo(path) || wanted == null;
        }

        private boolean isBetween(long afterNs, long beforeNs) {
            return beginNs > afterNs && endNs < beforeNs;
        }

        @Override
        public String toString() {
            return (from == null ? "" : "-" + from) + (to == null ? "" : "+" + to + " " + type) + " "
                    + beginNs / 1_000_000 + ".." + (endNs == Long.MAX_VALUE ? "?" : endNs / 1_000_000);
        }
    }

    /** A node is about to get a place. */
    public Change place(String path, CrailNodeType type, long nowNs) {
        return new Change(null, path, false, type, nowNs);
    }

    /** A node is about to be removed, with all below it or if nothing is there; everything if the path is empty. */
    public Change remove(String path, boolean isDeep, long nowNs) {
        return new Change(path, null, isDeep, null, nowNs);
    }

    /** A node is about to be moved, with all below it. */
    public Change move(String source, String target, long nowNs) {
        return new Change(source, target, true, null, nowNs);
    }

    /** Whether a path may have had a node of a type, or none if that is null, some time between two times. */
    public boolean mayBe(String path, CrailNodeType type, long beginNs, long endNs) {
        List<Change> known = of(path);
        boolean isFirst =
                type == null && known.stream().noneMatch(other -> !other.allows(path, null) && other.endNs < beginNs);
        return isFirst
                || known.stream()
                        .filter(change -> change.allows(path, type) && change.beginNs < endNs)
                        .anyMatch(change -> known.stream()
                                .noneMatch(
                                        other -> !other.allows(path, type) && other.isBetween(change.endNs, beginNs)));
    }

    private List<Change> of(String path) {
        return changes.stream().filter(change -> change.concerns(path)).toList();
    }

    /** Whether a path may have had any node between two times. */
    public boolean mayExist(String path, long beginNs, long endNs) {
        return mayBe(path, CrailNodeType.DATAFILE, beginNs, endNs)
                || mayBe(path, CrailNodeType.DIRECTORY, beginNs, endNs);
    }

    /** Whether nothing has happened to a path between two times, by all that is known. */
    public boolean isUntouched(String path, long beginNs, long endNs) {
        return of(path).stream().noneMatch(change -> change.beginNs < endNs && change.endNs > beginNs);
    }

    /** What is known of a path, for a message. */
    public String describe(String path) {
        return path + ": " + of(path);
    }
}
