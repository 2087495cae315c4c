/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.namenode.block.BlockAudit;
import org.apache.crail.rpc.message.CheckResponse;
import org.apache.crail.rpc.message.DatanodeReport;
import org.apache.crail.rpc.message.ReportResponse;
import org.apache.crail.rpc.transport.RpcTransport;

/** Looks at the whole namespace. Not thread safe; needs the namespace's read lock. */
final class Inspection {
    private static final int MAX_REPORT_BYTES = RpcTransport.MAX_MESSAGE_BYTES - 1024;

    private final Namespace namespace;
    private final long startNs;

    Inspection(Namespace namespace) {
        this.namespace = namespace;
        this.startNs = namespace.nowNs();
    }

    ReportResponse report() {
        long nowNs = namespace.nowNs();
        List<DatanodeReport> datanodes = new ArrayList<>();
        int bytes = 0;
        for (DatanodeReport datanode : namespace.blocks().report(nowNs)) {
            bytes += datanode.encodedLength();
            if (bytes <= MAX_REPORT_BYTES) {
                datanodes.add(datanode);
            }
        }
        return new ReportResponse(
                namespace.settings().clusterId(),
                TimeUnit.NANOSECONDS.toMillis(nowNs - startNs),
                namespace.settings().blockSizeBytes(),
                namespace.tree().size(),
                datanodes);
    }

    CheckResponse check() {
        BlockAudit audit = namespace.blocks().audit();
        long nodes = 0;
        Deque<Node> todo = new ArrayDeque<>();
        todo.push(namespace.tree().root());
        while (!todo.isEmpty()) {
            Node node = todo.pop();
            nodes++;
            forEachBlock(node, block -> audit.allocated(block, node.fd));
            if (node instanceof Container container) {
                container.children.forEach(child -> checkChild(container, child, audit));
                container.children.forEach(todo::push);
            }
        }
        namespace.removed().forEach(node -> forEachBlock(node, block -> audit.removed(block, node.fd)));
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

    private static void forEachBlock(Node node, LongConsumer consumer) {
        for (int i = 0; i < NodeBlocks.count(node); i++) {
            consumer.accept(NodeBlocks.get(node, i));
        }
    }
}
