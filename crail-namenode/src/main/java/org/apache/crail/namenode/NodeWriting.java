/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.NodeTypeMismatchException;
import org.apache.crail.error.PositionOutOfRangeException;
import org.apache.crail.error.TokenTakenException;
import org.apache.crail.namenode.block.BlockStore;
import org.apache.crail.rpc.message.LookupResponse;
import org.apache.crail.rpc.message.SyncRequest;
import org.apache.crail.rpc.message.SyncResponse;

/** What a writer does besides mapping blocks: open, sync, close. Not thread safe; needs the namespace's write lock. */
final class NodeWriting {
    private final Namespace namespace;
    private final int blockSizeBytes;

    NodeWriting(Namespace namespace) {
        this.namespace = namespace;
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
        if (WriteTokens.isTaken(node, nowNs)) {
            throw new TokenTakenException("cannot open " + path + " for writing: another writer holds its token for "
                    + TimeUnit.NANOSECONDS.toMillis(node.tokenDueNs - nowNs)
                    + " ms more; wait until it closes or its token expires");
        }
        if (node.writing) {
            fenceTail(node);
            namespace.growing().giveUp(node);
        }
        namespace.firstBlocks().giveAgain(node);
        long token = WriteTokens.grant(node, namespace);
        return new LookupResponse(namespace.describe(node, token), namespace.locate(node, 0));
    }

    /** Keeps late transfers of the former writer off all that it may have been writing. */
    private void fenceTail(Node node) {
        int count = NodeBlocks.count(node);
        int tail = (int) Math.min(NodeBlocks.indexOf(node.capacityBytes, blockSizeBytes), count - 1);
        NodeBlocks.fence(node, Math.max(tail, 0), namespace.blocks());
    }

    SyncResponse sync(SyncRequest request) throws CrailException {
        Node node = namespace.tree().require(request.fd());
        if (node instanceof Container) {
            throw new NodeTypeMismatchException("cannot sync node " + node.fd + ": it is a " + node.type()
                    + ", whose capacity follows from its children");
        }
        boolean closes = request.end() != SyncRequest.End.NONE;
        boolean repeatedClose =
                closes && request.capacity() <= node.capacityBytes && WriteTokens.isGivenBack(node, request.token());
        if (!repeatedClose) {
            WriteTokens.require(node, request.token());
            checkCapacity(node, request.capacity());
            WriteTokens.renew(node, namespace);
            if (namespace.growing().isNeededFor(node, request.capacity() - 1)) {
                namespace.growing().finish(node);
            }
            node.capacityBytes = Math.max(node.capacityBytes, request.capacity());
            if (closes && hasFailed(node) && namespace.replacedValues().restore(node)) {
                return new SyncResponse(0, node.layout);
            }
            if (request.capacity() > 0 || closes) {
                node.modifiedMs = namespace.nowMs();
                namespace.replacedValues().drop(node);
            }
            if (closes) {
                close(node, request.end());
            }
        }
        return new SyncResponse(node.capacityBytes, node.layout);
    }

    /** Whether a writer that closes has tried to write more than its part holds, and has nothing to show for it. */
    private boolean hasFailed(Node node) {
        return node.capacityBytes == 0 && namespace.growing().get(node) != BlockStore.NO_BLOCK;
    }

    private void checkCapacity(Node node, long capacityBytes) throws PositionOutOfRangeException {
        boolean small =
                BlockStore.isSmall(node.firstBlock) && namespace.growing().get(node) == BlockStore.NO_BLOCK;
        long allocatedBytes =
                small ? namespace.settings().smallBlockBytes() : (long) NodeBlocks.count(node) * blockSizeBytes;
        if (capacityBytes < 0 || capacityBytes > allocatedBytes) {
            throw new PositionOutOfRangeException("cannot set the capacity of node " + node.fd + " to " + capacityBytes
                    + ": it has blocks for 0 to " + allocatedBytes + " bytes");
        }
    }

    private void close(Node node, SyncRequest.End end) {
        if (end != SyncRequest.End.DOUBTFUL) {
            WriteTokens.giveBack(node);
        }
        namespace.growing().giveUp(node);
        if (end == SyncRequest.End.UNTOUCHED && node.capacityBytes == 0) {
            NodeBlocks.putBack(node, namespace.blocks());
        }
        int needed = (int) ((node.capacityBytes + blockSizeBytes - 1) / blockSizeBytes);
        NodeBlocks.truncate(node, needed, namespace.blocks(), namespace.nowNs());
        namespace.valueLengths().closed(node);
    }
}
