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
import org.apache.crail.internal.Counted;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.namenode.allocation.BlockAllocator;
import org.apache.crail.namenode.allocation.FirstBlockAllocator;
import org.apache.crail.namenode.allocation.SmallBlockGrowth;
import org.apache.crail.namenode.block.BlockStore;
import org.apache.crail.namenode.tree.Container;
import org.apache.crail.namenode.tree.Node;
import org.apache.crail.namenode.tree.NodeBlocks;
import org.apache.crail.namenode.tree.ReplacedNodes;
import org.apache.crail.namenode.tree.Tree;
import org.apache.crail.namenode.tree.Writer;
import org.apache.crail.namenode.tree.Writers;
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

    private final Tree tree;
    private final Writers writers;
    private final ReplacedNodes replaced;
    private final BlockStore blocks;
    private final BlockAllocator allocator;
    private final FirstBlockAllocator firstBlocks;
    private final SmallBlockGrowth growth;
    private final NodeDescriptions descriptions;
    private final NamenodeClock clock;
    private final int blockSizeBytes;

    NodeMapping(Namespace namespace) {
        this.tree = namespace.tree();
        this.writers = namespace.writers();
        this.replaced = namespace.replaced();
        this.blocks = namespace.blocks();
        this.allocator = namespace.allocator();
        this.firstBlocks = namespace.firstBlocks();
        this.growth = namespace.growth();
        this.descriptions = namespace.descriptions();
        this.clock = namespace.clock();
        this.blockSizeBytes = namespace.settings().blockSizeBytes();
    }

    /** Answers a reader. */
    MapResponse map(MapRequest request) throws CrailException {
        Node node = replaced.find(request.fd(), clock.nanoTime());
        if (node == null) {
            node = tree.require(request.fd());
        }
        return read(node, request.position(), request.count());
    }

    MapResponse locate(LocateRequest request) throws CrailException {
        Node node = tree.require(request.path());
        return read(node, request.position(), request.count());
    }

    /** Answers a writer; allocates the blocks that are missing, as many as there are. */
    MapResponse extend(MapRequest request) throws CrailException {
        Node node = tree.require(request.fd());
        long nowNs = clock.nanoTime();
        if (node instanceof Container) {
            throw new TokenMismatchException(
                    "cannot extend " + node + ": it is a " + node.type() + ", which has no bytes of its own");
        }
        int count = checkCount(request.count());
        Writer writer = writers.use(node, request.token(), nowNs);
        checkRoom(request, writer);
        long index = indexOf(request.position(), NodeBlocks.count(node), node);
        firstBlocks.giveAgain(node, nowNs);
        try {
            boolean needsWhole = index == 0 && growth.isOutgrown(node, request.position());
            if (needsWhole) {
                growth.allocateWhole(writer, nowNs);
            }
            grow(node, index, index + count - NodeBlocks.count(node), nowNs);
            if (request.unreachable() != null) {
                goAround(request.unreachable(), writer, (int) index, needsWhole, nowNs);
            }
            long first = needsWhole ? writer.wholeBlock() : NodeBlocks.get(node, (int) index);
            writer.refused(false);
            return answer(node, first, (int) index, count);
        } catch (NoFreeBlocksException e) {
            writer.refused(!(e instanceof BlocksPendingException));
            throw e;
        }
    }

    /**
     * A writer that asks ahead is refused if it was refused the blocks in front, whatever has been freed since.
     * Otherwise it asks again, as it does for those in front.
     */
    private void checkRoom(MapRequest request, Writer writer) throws NoFreeBlocksException {
        int existing = NodeBlocks.count(writer.node());
        if (NodeBlocks.indexOf(request.position(), blockSizeBytes) > existing) {
            String message = "no block for position " + request.position() + " of " + writer.node()
                    + ", which has " + Counted.of(existing, "block")
                    + ": none was free for those in front of it when they were asked for; delete data, or add"
                    + " datanodes";
            throw writer.isRefused() ? new NoFreeBlocksException(message) : new BlocksPendingException(message);
        }
    }

    private void grow(Node node, long index, long missing, long nowNs) throws CrailException {
        for (long i = 0; i < missing; i++) {
            boolean isNeeded = NodeBlocks.count(node) <= index;
            long block = isNeeded ? allocator.allocate(node, nowNs) : allocator.tryAllocate(node, nowNs);
            if (block == BlockStore.NO_BLOCK) {
                return;
            }
            NodeBlocks.append(node, block);
        }
    }

    /**
     * Puts a block of another datanode in the place of one to which nobody has written, if there is one.
     *
     * @throws BlocksPendingException if another datanode has one that waits for reclamation
     */
    private void goAround(BlockInfo unreachable, Writer writer, int index, boolean isWhole, long nowNs)
            throws BlocksPendingException {
        Node node = writer.node();
        boolean holdsBytes = !isWhole && (long) index * blockSizeBytes < node.capacityBytes();
        long former = isWhole ? writer.wholeBlock() : NodeBlocks.get(node, index);
        if (holdsBytes || !blocks.mayBeAt(former, unreachable)) {
            return;
        }
        long other = blocks.allocateElsewhere(former, node.storageClass(), node.locationClass(), nowNs);
        if (other == BlockStore.NO_BLOCK) {
            if (blocks.isReclaimingElsewhere(former)) {
                throw new BlocksPendingException("no block for " + node + " but on "
                        + unreachable.getDnInfo().identity()
                        + ", which its writer cannot reach; those of other datanodes wait for reclamation");
            }
            return;
        }
        blocks.release(former, nowNs);
        if (isWhole) {
            writer.wholeBlock(other);
        } else {
            NodeBlocks.replace(node, index, other);
        }
    }

    private MapResponse read(Node node, long position, int count) throws CrailException {
        int wanted = checkCount(count);
        long index = indexOf(position, NodeBlocks.count(node) - 1, node);
        return answer(node, NodeBlocks.get(node, (int) index), (int) index, wanted);
    }

    private static int checkCount(int count) throws InvalidRequestException {
        if (count < 1) {
            throw new InvalidRequestException("cannot map " + count + " blocks; ask for at least one");
        }
        return Math.min(count, MapRequest.MAX_COUNT);
    }

    private long indexOf(long position, int highest, Node node) throws PositionOutOfRangeException {
        long index = NodeBlocks.indexOf(position, blockSizeBytes);
        if (position < 0 || index > highest) {
            throw new PositionOutOfRangeException("cannot map position " + position + " of " + node + ": it has "
                    + Counted.of(NodeBlocks.count(node), "block") + " of " + blockSizeBytes + " bytes");
        }
        return index;
    }

    /** Answers {@code first}, which is the block at {@code index} for whoever asks, and those behind it. */
    private MapResponse answer(Node node, long first, int index, int count) throws DatanodeLostException {
        int end = Math.min(index + count, NodeBlocks.count(node));
        int bytes = 0;
        List<BlockInfo> found = new ArrayList<>(Math.max(1, end - index));
        for (int i = index; i < end; i++) {
            BlockInfo block = descriptions.locate(i == index ? first : NodeBlocks.get(node, i));
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
            throw new DatanodeLostException("block " + index + " of " + node + " lies on "
                    + blocks.describeLoss(first, clock.nanoTime()) + "; " + blocks.describeReturn(first)
                    + "delete the node and write it again");
        }
        return new MapResponse(node.layout(), found);
    }
}
