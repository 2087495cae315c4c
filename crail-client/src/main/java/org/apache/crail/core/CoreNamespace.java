/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.crail.CrailBlockLocation;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNamespace;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.Upcoming;
import org.apache.crail.core.block.BlockLocator;
import org.apache.crail.core.block.PathLocator;
import org.apache.crail.metadata.ChildrenPage;
import org.apache.crail.metadata.MoveMode;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.metadata.Ownership;
import org.apache.crail.metadata.StatusChange;
import org.apache.crail.metadata.StoreCapacity;
import org.apache.crail.rpc.message.ChangeRequest;
import org.apache.crail.rpc.message.ChildrenRequest;
import org.apache.crail.rpc.message.ChildrenResponse;
import org.apache.crail.rpc.message.CreateRequest;
import org.apache.crail.rpc.message.DatanodeReport;
import org.apache.crail.rpc.message.ReportRequest;
import org.apache.crail.rpc.message.ReportResponse;
import org.apache.crail.rpc.message.Request;
import org.apache.crail.rpc.message.Response;
import org.apache.crail.rpc.message.StatusRequest;
import org.apache.crail.rpc.message.StatusResponse;

/** The namespace of a store; see {@link CrailNamespace}. All methods are thread safe. */
final class CoreNamespace implements CrailNamespace {
    private final CoreDataStore store;

    CoreNamespace(CoreDataStore store) {
        this.store = store;
    }

    @Override
    public Upcoming<NodeStatus> status(String path) throws Exception {
        CrailPath parsed = CrailPath.parse(path);
        return call("looking up", parsed, new StatusRequest(parsed), StatusResponse::status, true);
    }

    @Override
    public Upcoming<ChildrenPage> children(String path, String after) throws Exception {
        CrailPath parsed = CrailPath.parse(path);
        ChildrenRequest request = new ChildrenRequest(parsed, after, ChildrenRequest.MAX_COUNT);
        return call("listing", parsed, request, ChildrenResponse::page, false);
    }

    @Override
    public Upcoming<List<CrailBlockLocation>> locate(String path, long start, long length) throws Exception {
        CrailPath parsed = CrailPath.parse(path);
        BlockLocator.checkRange(path, start, length);
        store.checkOpen();
        NamespaceOperation<List<CrailBlockLocation>, List<CrailBlockLocation>> operation =
                new NamespaceOperation<>(store, "locating", parsed, Function.identity(), true);
        CompletableFuture<List<CrailBlockLocation>> located = length == 0
                ? CompletableFuture.completedFuture(List.of())
                : new PathLocator(store.calls(), store.runtime().locator(), parsed, start, length).locate();
        located.whenComplete(operation);
        return operation;
    }

    @Override
    public Upcoming<CrailNode> create(
            String path,
            CrailNodeType type,
            CrailStorageClass storageClass,
            CrailLocationClass locationClass,
            Ownership ownership,
            boolean replace)
            throws Exception {
        return store.create(path, type, storageClass, locationClass, true, replace, ownership, CreateRequest.INHERITED);
    }

    @Override
    public Upcoming<CrailNode> move(String source, String destination, MoveMode mode) throws Exception {
        return store.move(source, destination, mode, false);
    }

    @Override
    public Upcoming<NodeStatus> change(String path, StatusChange change) throws Exception {
        CrailPath parsed = CrailPath.parse(path);
        return call("changing", parsed, new ChangeRequest(parsed, change), StatusResponse::status, false);
    }

    private <R extends Response, T> Upcoming<T> call(
            String deed, CrailPath path, Request<R> request, Function<R, T> result, boolean nullIfMissing)
            throws Exception {
        store.checkOpen();
        NamespaceOperation<R, T> operation = new NamespaceOperation<>(store, deed, path, result, nullIfMissing);
        operation.follow(store.calls().router().askForPath(path, request));
        return operation;
    }

    @Override
    public Upcoming<StoreCapacity> capacity() throws Exception {
        store.checkOpen();
        NamespaceOperation<StoreCapacity, StoreCapacity> operation =
                new NamespaceOperation<>(store, "asking for", "the capacity", Function.identity(), false);
        addPage(0, new StoreCapacity(0, 0, 0, 0)).whenComplete(operation);
        return operation;
    }

    /** Adds the datanodes from {@code told} on to a sum. */
    private CompletableFuture<StoreCapacity> addPage(int told, StoreCapacity sum) {
        return store.calls().router().callAny(new ReportRequest(told)).thenCompose(page -> {
            StoreCapacity grown = add(sum, page);
            int next = told + page.datanodes().size();
            boolean more = next < page.datanodeCount() && next > told;
            return more ? addPage(next, grown) : CompletableFuture.completedFuture(grown);
        });
    }

    private static StoreCapacity add(StoreCapacity sum, ReportResponse page) {
        long blockSizeBytes = page.blockSizeBytes();
        long blocks = 0;
        long free = 0;
        long pending = 0;
        for (DatanodeReport datanode : page.datanodes()) {
            if (datanode.live()) {
                blocks += datanode.blocks();
                free += datanode.freeBlocks();
                pending += datanode.pendingBlocks();
            }
        }
        return new StoreCapacity(
                sum.totalBytes() + blocks * blockSizeBytes,
                sum.freeBytes() + free * blockSizeBytes,
                sum.pendingBytes() + pending * blockSizeBytes,
                page.blockSizeBytes());
    }
}
