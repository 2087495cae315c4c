/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailPath;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.metadata.Lifetime;
import org.apache.crail.metadata.StatusChange;
import org.apache.crail.namenode.block.BlockStore;
import org.apache.crail.namenode.tree.Container;
import org.apache.crail.namenode.tree.Node;
import org.apache.crail.namenode.tree.RemovedNodes;
import org.apache.crail.namenode.tree.Tree;

/**
 * Removes nodes whose time is over. Time counts as far as the namenode ran: it does not end while the namenode stands
 * still, and no clock that is set changes it. A file or key-value with a time to live has it anew from each close on. A
 * container that inherited one goes when it is empty by then, else it has it anew. What somebody has given an end goes
 * at that time, with all in it. Nobody loses a file that he is writing: it goes when he has ended. Not thread safe;
 * needs the namespace's write lock.
 */
final class NodeLifetimes {
    private final Tree tree;
    private final RemovedNodes removed;
    private final BlockStore blocks;
    private final NamenodeClock clock;
    private final long writerPauseMs;
    private long expired;

    NodeLifetimes(Namespace namespace) {
        this.tree = namespace.tree();
        this.removed = namespace.removed();
        this.blocks = namespace.blocks();
        this.clock = namespace.clock();
        this.writerPauseMs = TimeUnit.NANOSECONDS.toMillis(namespace.settings().tokenExpirationNs());
    }

    /** How many nodes have gone because their time was over, those in them not counted. */
    long expired() {
        return expired;
    }

    /** Refuses a time that no node can have. */
    static void check(CrailPath path, String what, long timeMs) throws InvalidRequestException {
        if (timeMs < StatusChange.KEEP || timeMs > Lifetime.MOST_MS) {
            throw new InvalidRequestException("cannot give " + path + " the " + what + " " + timeMs
                    + " ms: it must be between 0, for no limit, and " + Lifetime.MOST_MS + " ms");
        }
    }

    /** A node has been created, or a writer has closed it: its time to live, if it has one, begins. */
    void begin(Node node, long nowNs) {
        if (node.timeToLiveMs() > 0 && !node.hasEnd()) {
            tree.expire(node, after(node.timeToLiveMs(), nowNs), false);
        }
    }

    /** Sets what is to be set, which has been checked. */
    void change(Node node, StatusChange change, long nowNs) {
        if (change.timeToLiveMs() != StatusChange.KEEP) {
            tree.changeTimeToLive(node, change.timeToLiveMs());
            beginAnew(node, nowNs);
        }
        if (change.endsInMs() == 0) {
            tree.keep(node);
            beginAnew(node, nowNs);
        } else if (change.endsInMs() != StatusChange.KEEP) {
            tree.expire(node, after(change.endsInMs(), nowNs), true);
        }
    }

    /** A node has another time to live than before, or no end any more. */
    private void beginAnew(Node node, long nowNs) {
        if (node.timeToLiveMs() == 0 && !node.hasEnd()) {
            tree.keep(node);
        } else if (!(node instanceof Container)) {
            begin(node, nowNs);
        }
    }

    /**
     * Removes nodes whose time is over.
     *
     * @return whether there may be more of them
     */
    boolean removeDue(int limit, long nowNs) {
        long nowMs = after(0, nowNs);
        Node node = tree.nextToExpire(nowMs);
        for (int i = 0; i < limit && node != null; i++) {
            end(node, nowNs);
            node = tree.nextToExpire(nowMs);
        }
        return node != null;
    }

    private void end(Node node, long nowNs) {
        boolean isInUse = node instanceof Container container && container.isInUse() && !node.hasEnd();
        if (!tree.contains(node)) {
            tree.keep(node);
        } else if (node.writer() != null) {
            tree.expire(node, after(writerPauseMs, nowNs), node.hasEnd());
        } else if (isInUse) {
            tree.expire(node, after(node.timeToLiveMs(), nowNs), false);
        } else {
            Container parent = node.parent();
            tree.keep(node);
            tree.unlink(node);
            parent.modifiedMs(clock.currentTimeMillis());
            removed.addLater(node);
            expired++;
        }
    }

    private long after(long ms, long nowNs) {
        return TimeUnit.NANOSECONDS.toMillis(blocks.runningNs(nowNs)) + ms;
    }
}
