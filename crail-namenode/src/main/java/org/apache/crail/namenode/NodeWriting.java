/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.NodeTypeMismatchException;
import org.apache.crail.error.PositionOutOfRangeException;
import org.apache.crail.error.TokenTakenException;
import org.apache.crail.namenode.allocation.FirstBlockAllocator;
import org.apache.crail.namenode.allocation.SmallBlockGrowth;
import org.apache.crail.namenode.block.BlockStore;
import org.apache.crail.namenode.tree.Container;
import org.apache.crail.namenode.tree.Node;
import org.apache.crail.namenode.tree.NodeBlocks;
import org.apache.crail.namenode.tree.RemovedNodes;
import org.apache.crail.namenode.tree.Tree;
import org.apache.crail.namenode.tree.Writer;
import org.apache.crail.namenode.tree.Writers;
import org.apache.crail.rpc.message.LookupResponse;
import org.apache.crail.rpc.message.SyncRequest;
import org.apache.crail.rpc.message.SyncRequest.End;
import org.apache.crail.rpc.message.SyncResponse;

/** What a writer does besides mapping blocks: open, sync, close. Not thread safe; needs the namespace's write lock. */
final class NodeWriting {
    /** Of more blocks that a former writer may have been writing, the last ones are given back. */
    private static final int FENCED_AT_ONCE = 256;

    private final Tree tree;
    private final Writers writers;
    private final NodePlacement placement;
    private final RemovedNodes removed;
    private final BlockStore blocks;
    private final FirstBlockAllocator firstBlocks;
    private final SmallBlockGrowth growth;
    private final NodeDescriptions descriptions;
    private final NodeLifetimes lifetimes;
    private final Eviction eviction;
    private final NamenodeClock clock;
    private final int blockSizeBytes;
    private final int smallBlockBytes;

    NodeWriting(Namespace namespace) {
        this.tree = namespace.tree();
        this.writers = namespace.writers();
        this.placement = new NodePlacement(namespace);
        this.removed = namespace.removed();
        this.blocks = namespace.blocks();
        this.firstBlocks = namespace.firstBlocks();
        this.growth = namespace.growth();
        this.descriptions = namespace.descriptions();
        this.lifetimes = namespace.lifetimes();
        this.eviction = namespace.eviction();
        this.clock = namespace.clock();
        this.blockSizeBytes = namespace.settings().blockSizeBytes();
        this.smallBlockBytes = namespace.settings().smallBlockBytes();
    }

    /** Finds a node and takes its write token. */
    LookupResponse open(CrailPath path) throws CrailException {
        Node node = tree.require(path);
        if (node instanceof Container) {
            throw new NodeTypeMismatchException(
                    "cannot open " + path + " for writing: it is a " + node.type() + ", which has no data of its own");
        }
        long nowNs = clock.nanoTime();
        if (Writers.isTaken(node, nowNs)) {
            throw new TokenTakenException("cannot open " + path + " for writing: another writer holds its token for "
                    + TimeUnit.NANOSECONDS.toMillis(node.writer().dueNs() - nowNs)
                    + " ms more; wait until it closes or its token expires");
        }
        if (node.writer() != null) {
            fenceTail(node, nowNs);
        }
        firstBlocks.giveAgain(node, nowNs);
        Writer writer = writers.grant(node, false, nowNs);
        return new LookupResponse(descriptions.describe(node, writer.token()), descriptions.locate(node, 0));
    }

    /** Keeps late transfers of the former writer off all that it may have been writing. */
    private void fenceTail(Node node, long nowNs) {
        int end = (int) Math.min(NodeBlocks.indexOf(node.capacityBytes(), blockSizeBytes), NodeBlocks.count(node) - 1);
        int tail = Math.max(end, 0);
        if (NodeBlocks.count(node) - tail > FENCED_AT_ONCE) {
            removed.truncate(node, tail + FENCED_AT_ONCE, nowNs);
        }
        NodeBlocks.fence(node, tail, blocks);
    }

    SyncResponse sync(SyncRequest request) throws CrailException {
        Node node = tree.require(request.fd());
        if (node instanceof Container) {
            throw new NodeTypeMismatchException(
                    "cannot sync " + node + ": it is a " + node.type() + ", whose capacity follows from its children");
        }
        long nowNs = clock.nanoTime();
        sync(node, writers.use(node, request.token(), nowNs), request, nowNs);
        return new SyncResponse(node.capacityBytes(), node.layout());
    }

    private void sync(Node node, Writer writer, SyncRequest request, long nowNs) throws CrailException {
        checkCapacity(node, writer, request.capacity());
        boolean isEnd = request.end() != End.NONE;
        boolean isFailure = request.end() == End.FAILED || request.end() == End.DOUBTFUL;
        if (isFailure && !writer.isPlaced()) {
            placement.discard(node, nowNs);
            return;
        }
        // a copy of an older request shows nothing new, and must not take the place of what has come since
        if (isEnd || request.capacity() > node.capacityBytes()) {
            place(writer, isEnd, nowNs);
        }
        if (request.capacity() > 0 || isEnd) {
            node.modifiedMs(clock.currentTimeMillis());
        }
        if (!isFailure || !writer.isPut() || !node.type().isKeyValue()) { // a put that fails shows no more than before
            show(writer, request.capacity(), nowNs);
        }
        if (isEnd) {
            close(node, request.end(), nowNs);
        }
    }

    /** Gives a node its place; one that is ended and cannot have it is discarded. */
    private void place(Writer writer, boolean isEnd, long nowNs) throws CrailException {
        try {
            placement.put(writer, nowNs);
        } catch (CrailException e) {
            if (isEnd) {
                placement.discard(writer.node(), nowNs);
            }
            throw e;
        }
    }

    private void show(Writer writer, long capacityBytes, long nowNs) {
        Node node = writer.node();
        if (growth.isOutgrown(node, capacityBytes - 1)) {
            growth.finish(writer, nowNs);
        }
        node.capacityBytes(Math.max(node.capacityBytes(), capacityBytes));
    }

    private void checkCapacity(Node node, Writer writer, long capacityBytes) throws PositionOutOfRangeException {
        boolean isSmall = BlockStore.isSmall(NodeBlocks.get(node, 0)) && !writer.hasWholeBlock();
        long allocatedBytes = isSmall ? smallBlockBytes : (long) NodeBlocks.count(node) * blockSizeBytes;
        if (capacityBytes < 0 || capacityBytes > allocatedBytes) {
            throw new PositionOutOfRangeException("cannot set the capacity of " + node + " to " + capacityBytes
                    + ": it has blocks for 0 to " + allocatedBytes + " bytes");
        }
    }

    private void close(Node node, End end, long nowNs) {
        if (end == End.DOUBTFUL) {
            node.writer().endPut();
            writers.dropWholeBlock(node.writer(), nowNs);
        } else {
            writers.giveBack(node, nowNs);
        }
        if (end == End.UNTOUCHED && node.capacityBytes() == 0) {
            NodeBlocks.putBack(node, blocks);
        }
        truncate(node, nowNs);
        firstBlocks.closed(node);
        lifetimes.begin(node, nowNs);
        eviction.closed(node);
    }

    private void truncate(Node node, long nowNs) {
        int needed = (int) ((node.capacityBytes() + blockSizeBytes - 1) / blockSizeBytes);
        removed.truncate(node, needed, nowNs);
    }

    /**
     * Ends writers that count as lost: a node that has its place keeps what was synced, another one is discarded.
     *
     * @return whether there may be more of them
     */
    boolean endLost(int limit, long nowNs) {
        Writer writer = writers.lost(nowNs);
        for (int i = 0; i < limit && writer != null; i++) {
            Node node = writer.node();
            if (writer.isPlaced()) {
                writers.giveBack(node, nowNs);
                truncate(node, nowNs);
                fenceTail(node, nowNs);
                eviction.closed(node);
            } else {
                placement.discard(node, nowNs);
            }
            writer = writers.lost(nowNs);
        }
        return writer != null;
    }
}
