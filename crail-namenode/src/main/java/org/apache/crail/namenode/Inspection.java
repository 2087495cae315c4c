/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.namenode.block.BlockAudit;
import org.apache.crail.namenode.block.BlockStore;
import org.apache.crail.rpc.message.CheckResponse;
import org.apache.crail.rpc.message.DatanodeReport;
import org.apache.crail.rpc.message.ReportRequest;
import org.apache.crail.rpc.message.ReportResponse;
import org.apache.crail.rpc.transport.RpcTransport;

/** Looks at the whole namespace. Not thread safe; needs the namespace's read lock. */
final class Inspection {
    private static final int MAX_REPORT_BYTES = RpcTransport.MAX_MESSAGE_BYTES - 2048;

    private final Namespace namespace;
    private final long startNs;

    Inspection(Namespace namespace) {
        this.namespace = namespace;
        this.startNs = namespace.nowNs();
    }

    ReportResponse report(ReportRequest request) throws InvalidRequestException {
        if (request.firstDatanode() < 0) {
            throw new InvalidRequestException(
                    "cannot report from datanode " + request.firstDatanode() + " on; begin at 0 or more");
        }
        long nowNs = namespace.nowNs();
        List<DatanodeReport> all = namespace.blocks().report(nowNs);
        List<DatanodeReport> page = new ArrayList<>();
        int bytes = 0;
        for (int i = request.firstDatanode(); i < all.size() && bytes <= MAX_REPORT_BYTES; i++) {
            bytes += all.get(i).encodedLength();
            page.add(all.get(i));
        }
        return new ReportResponse(
                namespace.settings().clusterId(),
                TimeUnit.NANOSECONDS.toMillis(nowNs - startNs),
                namespace.settings().blockSizeBytes(),
                namespace.tree().size(),
                all.size(),
                page);
    }

    CheckResponse check() {
        BlockAudit audit = namespace.blocks().audit();
        long nodes = 0;
        KnownNodes known = new KnownNodes();
        Deque<Node> todo = new ArrayDeque<>();
        todo.push(namespace.tree().root());
        while (!todo.isEmpty()) {
            Node node = todo.pop();
            nodes++;
            known.add(node);
            forEachBlock(node, block -> audit.allocated(block, node.fd));
            if (node instanceof Container container) {
                container.children.forEach(child -> checkChild(container, child, audit));
                container.children.forEach(todo::push);
            }
        }
        namespace.writers().forEachUnplaced(node -> {
            forEachBlock(node, block -> audit.allocated(block, node.fd));
            known.add(node);
        });
        namespace.removed().forEach(node -> {
            forEachBlock(node, block -> audit.removed(block, node.fd));
            known.add(node);
        });
        known.compare(namespace, audit);
        audit.finish();
        return new CheckResponse(
                nodes,
                audit.registered(),
                audit.free(),
                audit.allocated(),
                audit.pending(),
                audit.lost(),
                audit.problems());
    }

    private void checkChild(Container parent, Node child, BlockAudit audit) {
        if (child.parent != parent) {
            audit.problem("node " + child.fd + " is a child of node " + parent.fd + " but does not know it");
        }
        if (child.slot != FileInfo.NO_SLOT && parent.slots.get(child.slot) != child) {
            audit.problem("node " + child.fd + " does not live in its slot " + child.slot + " of node " + parent.fd);
        }
        if (child.slot != FileInfo.NO_SLOT
                && child.slot / namespace.settings().recordsPerBlock() >= NodeBlocks.count(parent)) {
            audit.problem("the record of node " + child.fd + " has no block in node " + parent.fd);
        }
        if (!namespace.tree().isKnown(child)) {
            audit.problem("node " + child.fd + " cannot be found by its id");
        }
    }

    private void forEachBlock(Node node, LongConsumer consumer) {
        if (node.writer != null && node.writer.wholeBlock != BlockStore.NO_BLOCK) {
            consumer.accept(node.writer.wholeBlock);
        }
        for (int i = 0; i < NodeBlocks.count(node); i++) {
            consumer.accept(NodeBlocks.get(node, i));
        }
    }

    /** Counts nodes for what is kept of them beside the tree. */
    private static final class KnownNodes {
        private long all;
        private long withInheritedRank;

        void add(Node node) {
            all++;
            withInheritedRank += node.hasInheritedRank ? 1 : 0;
        }

        void compare(Namespace namespace, BlockAudit audit) {
            if (all != namespace.traits().users()) {
                audit.problem(
                        all + " nodes have traits, but " + namespace.traits().users() + " are counted");
            }
            if (withInheritedRank != namespace.order().size()) {
                audit.problem(withInheritedRank + " nodes have inherited ranks, but "
                        + namespace.order().size() + " are kept");
            }
        }
    }
}
