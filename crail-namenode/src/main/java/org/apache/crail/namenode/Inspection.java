/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.namenode.block.BlockAudit;
import org.apache.crail.namenode.block.BlockStore;
import org.apache.crail.namenode.block.DatanodeState;
import org.apache.crail.namenode.tree.RemovedNodes;
import org.apache.crail.namenode.tree.Tree;
import org.apache.crail.namenode.tree.TreeCheck;
import org.apache.crail.rpc.message.CheckResponse;
import org.apache.crail.rpc.message.DatanodeReport;
import org.apache.crail.rpc.message.HelloResponse;
import org.apache.crail.rpc.message.ReportRequest;
import org.apache.crail.rpc.message.ReportResponse;
import org.apache.crail.rpc.transport.RpcTransport;

/**
 * Tells what cluster this is, what there is, and whether it is sound. Not thread safe but for {@link #cluster}; needs
 * the namespace's lock.
 */
final class Inspection {
    private static final int MAX_REPORT_BYTES = RpcTransport.MAX_MESSAGE_BYTES - 2048;

    private final Tree tree;
    private final RemovedNodes removed;
    private final BlockStore blocks;
    private final NamenodeClock clock;
    private final NamenodeSettings settings;
    private final NodeLifetimes lifetimes;
    private final Eviction eviction;
    private final HelloResponse cluster;
    private final long startNs;

    Inspection(Namespace namespace) {
        this.tree = namespace.tree();
        this.removed = namespace.removed();
        this.blocks = namespace.blocks();
        this.clock = namespace.clock();
        this.settings = namespace.settings();
        this.lifetimes = namespace.lifetimes();
        this.eviction = namespace.eviction();
        this.startNs = clock.nanoTime();
        this.cluster = new HelloResponse(
                settings.clusterId(),
                settings.incarnation(),
                settings.blockSizeBytes(),
                settings.smallBlockBytes(),
                settings.storageClasses(),
                TimeUnit.NANOSECONDS.toMillis(settings.tokenExpirationNs()));
    }

    /** What each client is told first. */
    HelloResponse cluster() {
        return cluster;
    }

    ReportResponse report(ReportRequest request) throws InvalidRequestException {
        if (request.firstDatanode() < 0) {
            throw new InvalidRequestException(
                    "cannot report from datanode " + request.firstDatanode() + " on; begin at 0 or more");
        }
        long nowNs = clock.nanoTime();
        List<DatanodeState> all = blocks.datanodes(nowNs);
        List<DatanodeReport> page = new ArrayList<>();
        int bytes = 0;
        for (int i = request.firstDatanode(); i < all.size() && bytes <= MAX_REPORT_BYTES; i++) {
            DatanodeReport report = report(all.get(i));
            bytes += report.encodedLength();
            page.add(report);
        }
        return new ReportResponse(
                settings.clusterId(),
                TimeUnit.NANOSECONDS.toMillis(nowNs - startNs),
                settings.blockSizeBytes(),
                tree.size(),
                tree.expiring(),
                lifetimes.expired(),
                eviction.evicted(),
                all.size(),
                page);
    }

    private static DatanodeReport report(DatanodeState state) {
        return new DatanodeReport(
                state.datanode(),
                state.isLive(),
                state.isStopped(),
                state.heartbeatAgeMs(),
                state.blocks(),
                state.freeBlocks(),
                state.pendingBlocks());
    }

    /** Begins a check; there must be no other one. Its steps are the caller's. */
    TreeCheck beginCheck() {
        return new TreeCheck(tree, removed, blocks);
    }

    /** What a check has found that has ended. */
    static CheckResponse answer(TreeCheck check) {
        BlockAudit audit = check.audit();
        return new CheckResponse(
                check.nodesInTree(),
                audit.registered(),
                audit.free(),
                audit.allocated(),
                audit.pending(),
                audit.lost(),
                audit.problems());
    }
}
