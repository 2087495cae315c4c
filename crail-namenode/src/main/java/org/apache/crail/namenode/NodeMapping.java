/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.util.ArrayList;
import java.util.List;
import org.apache.crail.error.BlocksPendingException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeLostException;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.error.NoFreeBlocksException;
import org.apache.crail.error.PositionOutOfRangeException;
import org.apache.crail.error.TokenMismatchException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.namenode.block.BlockStore;
import org.apache.crail.rpc.message.LocateRequest;
import org.apache.crail.rpc.message.MapRequest;
import org.apache.crail.rpc.message.MapResponse;
import org.apache.crail.rpc.transport.RpcTransport;

/**
 * Translates positions to blocks. Not thread safe; {@link #extend} needs the namespace's write lock, the other methods
 * also work for optimistic readers.
 */
final class NodeMapping {
    /** Leaves room in a message for what goes with the blocks. */
    private static final int MAX_ANSWER_BYTES = RpcTransport.MAX_MESSAGE_BYTES - 1024;

    private final Namespace namespace;
    private final int blockSizeBytes;

    NodeMapping(Namespace namespace) {
        this.namespace = namespace;
        this.blockSizeBytes = namespace.settings().blockSizeBytes();
    }

    /** Answers a reader. */
    MapResponse map(MapRequest request) throws CrailException {
        Node node = namespace.replaced().find(request.fd(), namespace.nowNs());
        if (node == null) {
            node = namespace.tree().require(request.fd());
        }
        return read(node, "node " + node.fd, request.position(), request.count());
    }

    MapResponse locate(LocateRequest request) throws CrailException {
        Node node = namespace.require(request.path());
        return read(node, request.path(), request.position(), request.count());
    }

    /** Answers a writer; allocates the blocks that are missing, as many as there are. */
    MapResponse extend(MapRequest request) throws CrailException {
        Node node = namespace.tree().require(request.fd());
        if (node instanceof Container container && request.token() == MapRequest.REPAIR) {
            return repair(container, request);
        }
        if (node instanceof Container) {
            throw new TokenMismatchException("cannot extend node " + node.fd + ": it is a " + node.type()
                    + ", which has no write token; map it with token 0 to read");
        }
        int count = checkCount(request.count());
        Writer writer = namespace.writers().use(node, request.token());
        checkRoom(request, writer);
        long index = indexOf(request.position(), NodeBlocks.count(node), node, "node " + node.fd);
        namespace.firstBlocks().giveAgain(node);
        try {
            boolean needsWhole = index == 0 && namespace.writers().outgrowsPart(node, request.position());
            long whole = needsWhole ? namespace.writers().wholeBlock(writer) : BlockStore.NO_BLOCK;
            grow(node, index, index + count - NodeBlocks.count(node));
            long first = needsWhole ? whole : NodeBlocks.get(node, (int) index);
            writer.isRefused = false;
            return answer(node, first, (int) index, count, "node " + node.fd);
        } catch (NoFreeBlocksException e) {
            writer.isRefused = !(e instanceof BlocksPendingException);
            throw e;
        }
    }

    /**
     * A writer that asks ahead is refused if it was refused the blocks in front, whatever has been freed since.
     * Otherwise it asks again, as it does for those in front.
     */
    private void checkRoom(MapRequest request, Writer writer) throws NoFreeBlocksException {
        int existing = NodeBlocks.count(writer.node);
        if (NodeBlocks.indexOf(request.position(), blockSizeBytes) > existing) {
            String message = "no block for position " + request.position() + " of node " + request.fd()
                    + ", which has " + existing
                    + " blocks: none was free for those in front of it when they were asked for; delete data, or add"
                    + " datanodes";
            throw writer.isRefused ? new NoFreeBlocksException(message) : new BlocksPendingException(message);
        }
    }

    /** Gives a container new blocks for the records that cannot be reached; whoever asked writes the records anew. */
    private MapResponse repair(Container container, MapRequest request) throws CrailException {
        String name = "container " + container.fd;
        int count = NodeBlocks.count(container);
        long first = indexOf(request.position(), count - 1, container, name);
        int end = (int) Math.min(first + checkCount(request.count()), count);
        for (int i = (int) first; i < end; i++) {
            boolean reachable = namespace.blocks().isReachable(NodeBlocks.get(container, i));
            if (!reachable && !replaceBlock(container, i, i == first)) {
                break;
            }
        }
        return answer(container, NodeBlocks.get(container, (int) first), (int) first, end - (int) first, name);
    }

    private boolean replaceBlock(Container container, int index, boolean required) throws NoFreeBlocksException {
        try {
            long block = namespace.allocate(
                    container.traits.storageClass, container.traits.locationClass, "container " + container.fd);
            namespace.blocks().release(NodeBlocks.get(container, index), namespace.nowNs());
            NodeBlocks.replace(container, index, block);
            return true;
        } catch (NoFreeBlocksException e) {
            if (required) {
                throw e;
            }
            return false;
        }
    }

    private void grow(Node node, long index, long missing) throws CrailException {
        for (long i = 0; i < missing; i++) {
            try {
                NodeBlocks.append(
                        node,
                        namespace.allocate(node.traits.storageClass, node.traits.locationClass, "node " + node.fd));
            } catch (NoFreeBlocksException e) {
                if (NodeBlocks.count(node) <= index) {
                    throw e;
                }
                return;
            }
        }
    }

    private MapResponse read(Node node, Object name, long position, int count) throws CrailException {
        int wanted = checkCount(count);
        long index = indexOf(position, NodeBlocks.count(node) - 1, node, name);
        return answer(node, NodeBlocks.get(node, (int) index), (int) index, wanted, name);
    }

    private static int checkCount(int count) throws InvalidRequestException {
        if (count < 1) {
            throw new InvalidRequestException("cannot map " + count + " blocks; ask for at least one");
        }
        return Math.min(count, MapRequest.MAX_COUNT);
    }

    private long indexOf(long position, int highest, Node node, Object name) throws PositionOutOfRangeException {
        long index = NodeBlocks.indexOf(position, blockSizeBytes);
        if (position < 0 || index > highest) {
            throw new PositionOutOfRangeException("cannot map position " + position + " of " + name + ": it has "
                    + NodeBlocks.count(node) + " blocks of " + blockSizeBytes + " bytes");
        }
        return index;
    }

    /** Answers {@code first}, which is the block at {@code index} for whoever asks, and those behind it. */
    private MapResponse answer(Node node, long first, int index, int count, Object name) throws DatanodeLostException {
        int end = Math.min(index + count, NodeBlocks.count(node));
        int bytes = 0;
        List<BlockInfo> found = new ArrayList<>(Math.max(1, end - index));
        for (int i = index; i < end; i++) {
            BlockInfo block = namespace.locate(i == index ? first : NodeBlocks.get(node, i));
            if (block == null) {
                break;
            }
            bytes += MapResponse.encodedLength(block);
            if (bytes > MAX_ANSWER_BYTES) {
                break; // whoever wants more asks for more
            }
            found.add(block);
        }
        if (found.isEmpty()) {
            throw new DatanodeLostException("block " + index + " of " + name + " lies on "
                    + namespace.blocks().describeLoss(first, namespace.nowNs()) + "; "
                    + remedy(node, namespace.blocks().mayReturn(first)));
        }
        return new MapResponse(node.layout, found);
    }

    private static String remedy(Node node, boolean mayReturn) {
        String rewrite = node instanceof Container
                ? "have the directory's records written anew: crail fsck -t repair"
                : "delete the node and write it again";
        return mayReturn ? "restart the datanode with its data, or " + rewrite : rewrite;
    }
}
