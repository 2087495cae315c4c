/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.tree;

import org.apache.crail.error.TokenMismatchException;
import org.apache.crail.internal.Surroundings;
import org.apache.crail.namenode.block.BlockStore;

/**
 * Who may write which files: whoever holds the write token. A token lives for a while after it was last used. When it
 * has expired, another writer can take the file over; when it has been expired for as long again, the writer counts as
 * lost, and what it has not shown is given back. Time in which the namenode itself stood still loses no writer. Not
 * thread safe; guarded by the namespace's write lock.
 */
public final class Writers {
    /** No token has this value. */
    public static final long NONE = 0;

    private final BlockStore blocks;
    private final long tokenExpirationNs;

    /** The ends of a list in the order of their due times, which all are one life of a token after the last use. */
    private Writer eldest;

    private Writer youngest;

    /**
     * Nobody writes.
     *
     * @param tokenExpirationNs how long a token lives after it was last used
     */
    public Writers(BlockStore blocks, long tokenExpirationNs) {
        this.blocks = blocks;
        this.tokenExpirationNs = tokenExpirationNs;
    }

    /**
     * Gives out a new token.
     *
     * @param isPut see {@link Writer#isPut}
     */
    public Writer grant(Node node, boolean isPut, long nowNs) {
        giveBack(node, nowNs);
        long token;
        do {
            token = Surroundings.nextSecret();
        } while (token == NONE);
        Writer writer = new Writer(node, token, isPut);
        node.writer = writer;
        append(writer, nowNs);
        return writer;
    }

    /** Whether somebody holds a token that has not expired. */
    public static boolean isTaken(Node node, long nowNs) {
        return node.writer != null && nowNs - node.writer.dueNs < 0;
    }

    /** The writer with this token, which lives anew. */
    public Writer use(Node node, long token, long nowNs) throws TokenMismatchException {
        Writer writer = node.writer;
        if (writer == null || token != writer.token) {
            throw new TokenMismatchException("cannot write " + node + ": "
                    + (writer == null
                            ? "this writer has given its token back, or has not been heard for too long"
                            : "another writer has taken over")
                    + "; look the node up again for writing");
        }
        remove(writer);
        append(writer, nowNs);
        return writer;
    }

    /** Ends a node's writing; does nothing if nobody writes it. What the writer has begun is given back. */
    public void giveBack(Node node, long nowNs) {
        Writer writer = node.writer;
        if (writer != null) {
            remove(writer);
            node.writer = null;
            dropWholeBlock(writer, nowNs);
        }
    }

    /** The writer does not go on to copy its node to a whole block; does nothing for others. */
    public void dropWholeBlock(Writer writer, long nowNs) {
        if (writer.hasWholeBlock()) {
            blocks.release(writer.wholeBlock, nowNs);
            writer.wholeBlock = BlockStore.NO_BLOCK;
        }
    }

    /** The writer that has been expired for longest, if it counts as lost; null if none does. */
    public Writer lost(long nowNs) {
        Writer writer = eldest;
        long lostNs = 2 * tokenExpirationNs;
        return writer != null && blocks.runningNs(nowNs) - writer.usedRunningNs >= lostNs ? writer : null;
    }

    /** Whether a node that exists can be found at its path. */
    static boolean isPlaced(Node node) {
        Writer writer = node.writer;
        return writer == null || writer.isPlaced;
    }

    private void append(Writer writer, long nowNs) {
        writer.dueNs = nowNs + tokenExpirationNs;
        writer.usedRunningNs = blocks.runningNs(nowNs);
        writer.earlier = youngest;
        writer.later = null;
        if (youngest == null) {
            eldest = writer;
        } else {
            youngest.later = writer;
        }
        youngest = writer;
    }

    private void remove(Writer writer) {
        if (writer.earlier == null) {
            eldest = writer.later;
        } else {
            writer.earlier.later = writer.later;
        }
        if (writer.later == null) {
            youngest = writer.earlier;
        } else {
            writer.later.earlier = writer.earlier;
        }
    }
}
