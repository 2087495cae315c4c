/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import org.apache.crail.error.NoFreeBlocksException;
import org.apache.crail.error.TokenMismatchException;
import org.apache.crail.internal.Surroundings;
import org.apache.crail.namenode.block.BlockStore;
import org.apache.crail.rpc.message.MapRequest;

/**
 * Who may write which files: whoever holds the write token. A token lives for a while after it was last used. When it
 * has expired, another writer can take the file over; when it has been expired for as long again, the writer counts as
 * lost, and what it has not shown is given back. Time in which the namenode itself stood still loses no writer. Not
 * thread safe; guarded by the namespace's write lock.
 */
final class Writers {
    /** No token has this value. */
    static final long NONE = 0;

    private final Namespace namespace;

    /** The ends of a list in the order of their due times, which all are one life of a token after the last use. */
    private Writer eldest;

    private Writer youngest;

    Writers(Namespace namespace) {
        this.namespace = namespace;
    }

    /**
     * Gives out a new token.
     *
     * @param isPut see {@link Writer#isPut}
     */
    Writer grant(Node node, boolean isPut) {
        giveBack(node);
        long token;
        do {
            token = Surroundings.nextSecret();
        } while (token == NONE || token == MapRequest.REPAIR);
        Writer writer = new Writer(node, token, isPut);
        node.writer = writer;
        append(writer);
        return writer;
    }

    /** Whether somebody holds a token that has not expired. */
    static boolean isTaken(Node node, long nowNs) {
        return node.writer != null && nowNs - node.writer.dueNs < 0;
    }

    /** The writer with this token, which lives anew. */
    Writer use(Node node, long token) throws TokenMismatchException {
        Writer writer = node.writer;
        if (writer == null || token != writer.token) {
            throw new TokenMismatchException("cannot write node " + node.fd + ": "
                    + (writer == null
                            ? "this writer has given its token back, or has not been heard for too long"
                            : "another writer has taken over")
                    + "; look the node up again for writing");
        }
        remove(writer);
        append(writer);
        return writer;
    }

    /** Ends a node's writing; does nothing if nobody writes it. What the writer has begun is given back. */
    void giveBack(Node node) {
        Writer writer = node.writer;
        if (writer != null) {
            remove(writer);
            node.writer = null;
            dropWhole(writer);
        }
    }

    /** The writer that has been expired for longest, if it counts as lost; null if none does. */
    Writer lost(long nowNs) {
        Writer writer = eldest;
        long lostNs = 2 * namespace.settings().tokenExpirationNs();
        return writer != null && namespace.blocks().runningNs(nowNs) - writer.usedRunningNs >= lostNs ? writer : null;
    }

    /** Whether the node's first block is a part of a shared one that does not reach a position. */
    boolean outgrowsPart(Node node, long position) {
        return BlockStore.isSmall(node.firstBlock)
                && position >= namespace.settings().smallBlockBytes();
    }

    /** The whole block of a value that has outgrown its part; the same one until it has grown. */
    long wholeBlock(Writer writer) throws NoFreeBlocksException {
        if (writer.wholeBlock == BlockStore.NO_BLOCK) {
            Traits traits = writer.node.traits;
            writer.wholeBlock = namespace.allocate(traits.storageClass, traits.locationClass, "node " + writer.node.fd);
        }
        return writer.wholeBlock;
    }

    /** The whole block holds all that the part held: from now on it is the first block. */
    void finishGrowing(Writer writer) {
        namespace.blocks().release(writer.node.firstBlock, namespace.nowNs());
        NodeBlocks.replace(writer.node, 0, writer.wholeBlock);
        writer.wholeBlock = BlockStore.NO_BLOCK;
    }

    /** The writer does not go on to grow; does nothing for others. */
    void dropWhole(Writer writer) {
        if (writer.wholeBlock != BlockStore.NO_BLOCK) {
            namespace.blocks().release(writer.wholeBlock, namespace.nowNs());
            writer.wholeBlock = BlockStore.NO_BLOCK;
        }
    }

    /** Whether a node that exists can be found at its path. */
    static boolean isPlaced(Node node) {
        Writer writer = node.writer;
        return writer == null || writer.isPlaced;
    }

    private void append(Writer writer) {
        long nowNs = namespace.nowNs();
        writer.dueNs = nowNs + namespace.settings().tokenExpirationNs();
        writer.usedRunningNs = namespace.blocks().runningNs(nowNs);
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
