/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailPath;
import org.apache.crail.error.BlocksPendingException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.NodeTypeMismatchException;
import org.apache.crail.error.PositionOutOfRangeException;
import org.apache.crail.error.TokenTakenException;
import org.apache.crail.namenode.block.BlockStore;
import org.apache.crail.rpc.message.LookupResponse;
import org.apache.crail.rpc.message.RecordPlace;
import org.apache.crail.rpc.message.SyncRequest;
import org.apache.crail.rpc.message.SyncRequest.End;
import org.apache.crail.rpc.message.SyncResponse;

/** What a writer does besides mapping blocks: open, sync, close. Not thread safe; needs the namespace's write lock. */
final class NodeWriting {
    /** Of more blocks that a former writer may have been writing, the last ones are given back. */
    private static final int FENCED_AT_ONCE = 256;

    private final Namespace namespace;
    private final Writers writers;
    private final NodePlacement placement;
    private final int blockSizeBytes;

    NodeWriting(Namespace namespace) {
        this.namespace = namespace;
        this.writers = namespace.writers();
        this.placement = new NodePlacement(namespace);
        this.blockSizeBytes = namespace.settings().blockSizeBytes();
    }

    /** Finds a node and takes its write token. */
    LookupResponse open(CrailPath path) throws CrailException {
        Node node = namespace.require(path);
        if (node instanceof Container) {
            throw new NodeTypeMismatchException(
                    "cannot open " + path + " for writing: it is a " + node.type() + ", which has no data of its own");
        }
        long nowNs = namespace.nowNs();
        if (Writers.isTaken(node, nowNs)) {
            throw new TokenTakenException("cannot open " + path + " for writing: another writer holds its token for "
                    + TimeUnit.NANOSECONDS.toMillis(node.writer.dueNs - nowNs)
                    + " ms more; wait until it closes or its token expires");
        }
        if (node.writer != null) {
            fenceTail(node);
        }
        namespace.firstBlocks().giveAgain(node);
        Writer writer = writers.grant(node, false);
        return new LookupResponse(namespace.describe(node, writer.token), namespace.locate(node, 0));
    }

    /** Keeps late transfers of the former writer off all that it may have been writing. */
    private void fenceTail(Node node) {
        int end = (int) Math.min(NodeBlocks.indexOf(node.capacityBytes, blockSizeBytes), NodeBlocks.count(node) - 1);
        int tail = Math.max(end, 0);
        if (NodeBlocks.count(node) - tail > FENCED_AT_ONCE) {
            namespace.truncate(node, tail + FENCED_AT_ONCE);
        }
        NodeBlocks.fence(node, tail, namespace.blocks());
    }

    SyncResponse sync(SyncRequest request) throws CrailException {
        Node node = namespace.tree().require(request.fd());
        if (node instanceof Container) {
            throw new NodeTypeMismatchException("cannot sync node " + node.fd + ": it is a " + node.type()
                    + ", whose capacity follows from its children");
        }
        RecordPlace place = sync(node, writers.use(node, request.token()), request);
        return new SyncResponse(node.capacityBytes, node.layout, place);
    }

    private RecordPlace sync(Node node, Writer writer, SyncRequest request) throws CrailException {
        checkCapacity(node, writer, request.capacity());
        boolean isEnd = request.end() != End.NONE;
        boolean isFailure = request.end() == End.FAILED || request.end() == End.DOUBTFUL;
        if (isFailure && !writer.isPlaced) {
            placement.discard(node);
            return null;
        }
        // a copy of an older request shows nothing new, and must not take the place of what has come since
        RecordPlace place = isEnd || request.capacity() > node.capacityBytes ? place(writer, isEnd) : null;
        if (request.capacity() > 0 || isEnd) {
            node.modifiedMs = namespace.nowMs();
        }
        if (!isFailure || !writer.isPut || !node.type().isKeyValue()) { // a put that fails shows no more than before
            show(writer, request.capacity());
        }
        if (isEnd) {
            close(node, request.end());
        }
        return place;
    }

    /**
     * Gives a node its place; one that is ended and cannot have it is discarded, unless its writer is going to ask
     * again.
     */
    private RecordPlace place(Writer writer, boolean isEnd) throws CrailException {
        try {
            return placement.put(writer);
        } catch (BlocksPendingException e) {
            throw e;
        } catch (CrailException e) {
            if (isEnd) {
                placement.discard(writer.node);
            }
            throw e;
        }
    }

    private void show(Writer writer, long capacityBytes) {
        if (writers.outgrowsPart(writer.node, capacityBytes - 1)) {
            writers.finishGrowing(writer);
        }
        writer.node.capacityBytes = Math.max(writer.node.capacityBytes, capacityBytes);
    }

    private void checkCapacity(Node node, Writer writer, long capacityBytes) throws PositionOutOfRangeException {
        boolean small = BlockStore.isSmall(node.firstBlock) && writer.wholeBlock == BlockStore.NO_BLOCK;
        long allocatedBytes =
                small ? namespace.settings().smallBlockBytes() : (long) NodeBlocks.count(node) * blockSizeBytes;
        if (capacityBytes < 0 || capacityBytes > allocatedBytes) {
            throw new PositionOutOfRangeException("cannot set the capacity of node " + node.fd + " to " + capacityBytes
                    + ": it has blocks for 0 to " + allocatedBytes + " bytes");
        }
    }

    private void close(Node node, End end) {
        if (end == End.DOUBTFUL) {
            node.writer.isPut = false;
            writers.dropWhole(node.writer);
        } else {
            writers.giveBack(node);
        }
        if (end == End.UNTOUCHED && node.capacityBytes == 0) {
            NodeBlocks.putBack(node, namespace.blocks());
        }
        truncate(node);
        namespace.valueLengths().closed(node);
    }

    private void truncate(Node node) {
        int needed = (int) ((node.capacityBytes + blockSizeBytes - 1) / blockSizeBytes);
        namespace.truncate(node, needed);
    }

    /**
     * Ends writers that count as lost: a node that has its place keeps what was synced, another one is discarded.
     *
     * @return whether there may be more of them
     */
    boolean endLost(int limit, long nowNs) {
        Writer writer = writers.lost(nowNs);
        for (int i = 0; i < limit && writer != null; i++) {
            Node node = writer.node;
            if (writer.isPlaced) {
                writers.giveBack(node);
                truncate(node);
                fenceTail(node);
            } else {
                placement.discard(node);
            }
            writer = writers.lost(nowNs);
        }
        return writer != null;
    }
}
