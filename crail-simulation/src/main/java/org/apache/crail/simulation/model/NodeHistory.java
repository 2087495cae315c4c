/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.model;

import java.util.ArrayList;
import java.util.List;

/** What is known of one node: who wrote where. Not thread safe. */
public final class NodeHistory {
    final long fd;
    private final List<Session> sessions = new ArrayList<>();
    private final List<Session> overtaken = new ArrayList<>();

    NodeHistory(long fd) {
        this.fd = fd;
    }

    /**
     * A writer has been given the node, with {@code capacity} bytes: what earlier ones wrote behind is no more. Those
     * that were given it since {@code beginNs}, when this one asked, may be later ones.
     */
    public Session open(int number, long capacity, long beginNs, long nowNs) {
        certain(capacity);
        for (Session session : sessions) {
            if (session.possibleEnd > capacity && session.openedNs < beginNs) {
                Session lost = new Session(session.number, Math.max(session.from, capacity), nowNs);
                lost.possibleEnd = session.possibleEnd;
                overtaken.add(lost);
                session.possibleEnd = Math.max(session.from, capacity);
            }
        }
        Session opened = new Session(number, capacity, nowNs);
        sessions.add(opened);
        return opened;
    }

    /** The namenode has told of so many bytes: they stay what they are. */
    void certain(long capacity) {
        for (Session session : sessions) {
            session.acknowledged(Math.min(capacity, session.possibleEnd));
        }
    }

    /** The least bytes that the node has. */
    long leastCapacity() {
        long least = 0;
        for (Session session : sessions) {
            if (session.certainEnd > session.from) {
                least = Math.max(least, session.certainEnd);
            }
        }
        return least;
    }

    /** The most bytes that the node may have. */
    long mostCapacity() {
        return sessions.stream().mapToLong(session -> session.possibleEnd).max().orElse(0);
    }

    /** Which bytes of a range that was read are not right, as a sentence; null if all are. */
    String wrong(long offset, byte[] bytes, int length, Session own) {
        int bad = 0;
        int first = -1;
        for (int i = 0; i < length; i++) {
            if (!isRight(offset + i, bytes[i], own)) {
                bad++;
                first = first < 0 ? i : first;
            }
        }
        return bad == 0
                ? null
                : bad + " of " + length + " bytes from " + offset + " on are wrong, first at " + (offset + first) + ", "
                        + whose(offset + first, bytes, first, length) + "; writers " + sessions + " " + overtaken;
    }

    private boolean isRight(long offset, byte value, Session own) {
        boolean isCertain = false;
        for (Session session : sessions) {
            if (offset >= session.from && offset < session.certainEnd) {
                if (session.byteAt(offset) == value) {
                    return true;
                }
                isCertain = true;
            }
        }
        if (own != null && offset >= own.from && own.byteAt(offset) == value) {
            return true; // through the writer's own object
        }
        if (isCertain) {
            return false;
        }
        for (Session session : sessions) {
            if (session.mayHold(offset) && session.byteAt(offset) == value) {
                return true;
            }
        }
        return false;
    }

    private String whose(long offset, byte[] bytes, int index, int length) {
        for (Session session : overtaken) {
            if (matches(session, offset, bytes, index, length)) {
                return "which were written by w" + session.number + " and overtaken";
            }
        }
        for (Session session : sessions) {
            if (matches(session, offset, bytes, index, length)) {
                return "which are those of w" + session.number;
            }
        }
        return "which are foreign";
    }

    private static boolean matches(Session session, long offset, byte[] bytes, int index, int length) {
        int count = Math.min(8, length - index);
        for (int i = 0; i < count; i++) {
            if (session.byteAt(offset + i) != bytes[index + i]) {
                return false;
            }
        }
        return true;
    }
}
