/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.crail.CrailBlockLocation;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNamespace;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.CrailStatistics;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.Upcoming;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.core.block.StoreParts;
import org.apache.crail.core.block.TransferCounters;
import org.apache.crail.core.call.MetadataCalls;
import org.apache.crail.core.call.Waiting;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InvalidPathException;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.error.NodeNotFoundException;
import org.apache.crail.error.NodeTypeMismatchException;
import org.apache.crail.error.ProtocolMismatchException;
import org.apache.crail.internal.StreamSettings;
import org.apache.crail.memory.BufferCache;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.metadata.MoveMode;
import org.apache.crail.metadata.Ownership;
import org.apache.crail.metadata.StatusChange;
import org.apache.crail.rpc.client.CallCounters;
import org.apache.crail.rpc.message.CreateRequest;
import org.apache.crail.rpc.message.LookupRequest;
import org.apache.crail.rpc.message.MoveRequest;
import org.apache.crail.rpc.message.PingRequest;
import org.apache.crail.rpc.message.PingResponse;
import org.apache.crail.rpc.message.RemoveRequest;
import org.apache.crail.rpc.message.ReportRequest;
import org.apache.crail.rpc.message.ReportResponse;
import org.apache.crail.rpc.message.Request;
import org.apache.crail.rpc.message.Response;
import org.apache.crail.rpc.message.SyncRequest;
import org.apache.crail.utils.BufferCheckpoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store over a metadata transport and storage tiers. Paths that cannot be valid, and a closed store, fail at once;
 * all other failures show in the futures. All methods are thread safe; futures complete on transport threads, or inside
 * a {@code get()} of the thread that asked, under the locks that it holds; what is chained to them must not block.
 */
@SuppressWarnings("try") // as CrailStore
public class CoreDataStore extends CrailStore implements StreamSettings {
    private static final Logger LOG = LoggerFactory.getLogger(CoreDataStore.class);
    private static final AtomicInteger NEXT_ID = new AtomicInteger();

    private final StoreRuntime runtime;
    private final ValueCalls values;
    private final OwnLocation location = new OwnLocation();
    private final int id = NEXT_ID.getAndIncrement();
    private volatile boolean closed;

    /** As {@link #open(CrailConfiguration)}; for programs written for Crail 1.x. */
    public CoreDataStore(CrailConfiguration conf) throws Exception {
        this(StoreContext.of(conf));
    }

    private CoreDataStore(StoreContext context) throws Exception {
        this.runtime = StoreRuntime.open(context);
        this.values = new ValueCalls(this);
    }

    /**
     * Opens a store of its own, which is not shared.
     *
     * @throws CrailException NamenodeUnreachableException, ProtocolMismatchException, ClusterMismatchException, or
     *     ConfigurationException if a value was set on purpose that differs from the namenode's
     */
    public static CoreDataStore open(CrailConfiguration conf) throws Exception {
        return open(StoreContext.of(conf));
    }

    /** Opens a store of its own with parts that the caller brings. */
    static CoreDataStore open(StoreContext context) throws Exception {
        return new CoreDataStore(context);
    }

    StoreRuntime runtime() {
        return runtime;
    }

    StoreParts parts() {
        return runtime.parts();
    }

    MetadataCalls calls() {
        return runtime.parts().calls();
    }

    /** The configuration that the store runs with, the namenode's values included; a copy. */
    public CrailConfiguration configuration() {
        return runtime.configuration().copy();
    }

    /** Counts of metadata calls, by operation. */
    public CallCounters metadataCalls() {
        return calls().router().counters();
    }

    /** Counts of transfers. */
    public TransferCounters transfers() {
        return parts().transfers();
    }

    private <R extends Response> CompletableFuture<R> call(Request<R> request) throws ClosedException {
        checkOpen();
        return calls().router().callAny(request);
    }

    void checkOpen() throws ClosedException {
        if (closed) {
            throw new ClosedException("the store has been closed; open another one");
        }
    }

    @Override
    public Upcoming<CrailNode> create(
            String path,
            CrailNodeType type,
            CrailStorageClass storageClass,
            CrailLocationClass locationClass,
            boolean enumerable)
            throws Exception {
        return create(path, type, storageClass, locationClass, enumerable, false, null, CreateRequest.INHERITED);
    }

    @Override
    public Upcoming<CrailNode> create(
            String path,
            CrailNodeType type,
            CrailStorageClass storageClass,
            CrailLocationClass locationClass,
            boolean enumerable,
            Duration timeToLive)
            throws Exception {
        long timeToLiveMs = StatusChange.ofTimeToLive(timeToLive).timeToLiveMs();
        return create(path, type, storageClass, locationClass, enumerable, false, null, timeToLiveMs);
    }

    /**
     * As {@link #create(String, CrailNodeType, CrailStorageClass, CrailLocationClass, boolean)}, with all that a create
     * can say.
     */
    CreateOperation create(
            String path,
            CrailNodeType type,
            CrailStorageClass storageClass,
            CrailLocationClass locationClass,
            boolean enumerable,
            boolean replace,
            Ownership ownership,
            long timeToLiveMs)
            throws Exception {
        checkOpen();
        CrailPath parsed = CrailPath.parse(path);
        if (type == null || storageClass == null || locationClass == null) {
            throw new InvalidRequestException("cannot create " + path + ": type " + type + ", storage class "
                    + storageClass + ", location class " + locationClass + "; none may be null");
        }
        CreateRequest request = new CreateRequest(
                parsed,
                type,
                storageClass.value(),
                locationClass.value(),
                enumerable,
                replace,
                ownership,
                timeToLiveMs);
        CreateOperation operation = new CreateOperation(this, request, path);
        operation.follow(calls().router().askForPath(parsed, request));
        return operation;
    }

    @Override
    public Upcoming<CrailNode> lookup(String path) throws Exception {
        checkOpen();
        CrailPath parsed = CrailPath.parse(path);
        LookupOperation operation = new LookupOperation(this, path);
        operation.follow(calls().router().askForPath(parsed, new LookupRequest(parsed, false)));
        return operation;
    }

    @Override
    public Upcoming<CrailNode> rename(String srcPath, String dstPath) throws Exception {
        return move(srcPath, dstPath, MoveMode.INTO, true);
    }

    /** Moves a node; see {@link RenameOperation} for {@code nullIfRefused}. */
    RenameOperation move(String srcPath, String dstPath, MoveMode mode, boolean nullIfRefused) throws Exception {
        checkOpen();
        CrailPath source = CrailPath.parse(srcPath);
        CrailPath destination = CrailPath.parse(dstPath);
        RenameOperation operation = new RenameOperation(this, source, destination, nullIfRefused);
        operation.follow(calls().router().askForPath(source, new MoveRequest(source, destination, mode)));
        return operation;
    }

    @Override
    public CrailNamespace namespace() {
        return new CoreNamespace(this);
    }

    @Override
    public Upcoming<CrailNode> delete(String path, boolean recursive) throws Exception {
        checkOpen();
        CrailPath parsed = CrailPath.parse(path);
        DeleteOperation operation = new DeleteOperation(this, path);
        operation.follow(calls().router().askForPath(parsed, new RemoveRequest(parsed, recursive)));
        return operation;
    }

    /** Values by one call each. */
    ValueCalls values() {
        return values;
    }

    @Override
    public CompletableFuture<Void> put(String path, ByteBuffer value) {
        return forPath(path, parsed -> values.put(parsed, value, CreateRequest.INHERITED));
    }

    @Override
    public CompletableFuture<byte[]> get(String path) {
        return forPath(path, values::get);
    }

    @Override
    public CompletableFuture<Integer> get(String path, ByteBuffer target) {
        return forPath(path, parsed -> values.get(parsed, target));
    }

    private static <T> CompletableFuture<T> forPath(String path, Function<CrailPath, CompletableFuture<T>> call) {
        try {
            return call.apply(CrailPath.parse(path));
        } catch (InvalidPathException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Lists a container, as crail.directoryrandomize says. */
    public DirectoryInputStream listEntries(String path) throws Exception {
        return _listEntries(path, runtime.configuration().get(CrailKeys.DIRECTORY_RANDOMIZE));
    }

    /**
     * Lists a container as it is now.
     *
     * @param randomize whether the order is random, page by page
     * @throws CrailException NodeNotFoundException if no node has this path, NodeTypeMismatchException if it is no
     *     container
     */
    public DirectoryInputStream _listEntries(String path, boolean randomize) throws Exception {
        CoreNode node = lookupNow(path);
        if (node == null) {
            throw new NodeNotFoundException("cannot list " + path + ": no node has this path");
        }
        if (!node.getType().isContainer()) {
            throw new NodeTypeMismatchException("File is not a directory: " + path + " is a " + node.getType());
        }
        return new DirectoryInputStream(calls(), CrailPath.parse(path), node.info(), randomize);
    }

    /** Looks a path up and waits; null if there is none. */
    CoreNode lookupNow(String path) throws Exception {
        Upcoming<CrailNode> lookup = lookup(path);
        return (CoreNode) Waiting.await(lookup.toString(), lookup, calls().waitLimitMs());
    }

    /**
     * Tells where the blocks of a range of a file lie.
     *
     * @throws NodeNotFoundException if no node has this path
     */
    public CrailBlockLocation[] getBlockLocations(String path, long start, long len) throws Exception {
        CoreNode node = lookupNow(path);
        if (node == null) {
            throw new NodeNotFoundException("cannot locate " + path + ": no node has this path");
        }
        return node.getBlockLocations(start, len);
    }

    /** Logs what the namenode tells of the cluster, at level INFO. */
    public void dumpNameNode() throws Exception {
        int told = 0;
        ReportResponse page;
        do {
            page = Waiting.await("reporting", call(new ReportRequest(told)), calls().waitLimitMs());
            told += page.datanodes().size();
            LOG.info("{}", page);
        } while (told < page.datanodeCount());
    }

    /** Waits for a sign of life of the namenode. */
    public void ping() throws Exception {
        PingResponse response = Waiting.await("ping", call(new PingRequest(id)), calls().waitLimitMs());
        if (response.number() != id + 1) {
            throw new ProtocolMismatchException("ping: the namenode answered " + response.number() + " to " + id
                    + " instead of " + (id + 1) + "; use the same release on both sides");
        }
    }

    @Override
    public CrailBuffer allocateBuffer() throws IOException {
        checkOpen();
        return parts().buffers().allocateBuffer();
    }

    @Override
    public void freeBuffer(CrailBuffer buffer) throws IOException {
        parts().buffers().freeBuffer(buffer);
    }

    @Override
    public int sliceSize() {
        return runtime.sliceSize();
    }

    /** A number that tells the stores of this process apart. */
    public int getFsId() {
        return id;
    }

    @Override
    public CrailLocationClass getLocationClass() {
        return location.get();
    }

    /** Where operations with crail.debug register the buffers that they use. */
    public BufferCheckpoint getBufferCheckpoint() {
        return runtime.checkpoint();
    }

    @Override
    public CrailStatistics getStatistics() {
        return runtime.statistics();
    }

    /** Gives the write token back that {@code file} holds, with the capacity it has there. */
    public void closeFile(FileInfo file) throws Exception {
        SyncRequest request =
                new SyncRequest(file.getFd(), file.getToken(), file.getCapacity(), SyncRequest.End.CLOSED);
        calls().await("closing node " + file.getFd(), calls().router().askForNode(file.getFd(), request));
    }

    /** The cache that {@link #allocateBuffer} takes from. */
    public BufferCache getBufferCache() {
        return parts().buffers();
    }

    /** Forgets all block locations. */
    public void purgeCache() {
        parts().blocks().clear();
    }

    /**
     * Waits for calls for values, closes streams, then waits for what is in flight, then gives everything back. Closing
     * again does nothing. What is chained to a future must not do it, as it would wait for itself.
     *
     * @throws IOException the first failure, with the others suppressed; all is closed all the same
     */
    @Override
    public void closeFileSystem() throws Exception {
        IOException failure = null;
        try {
            Waiting.settle("closing: calls for values in flight", values.stop(), calls().waitLimitMs());
        } catch (IOException e) {
            failure = e;
        }
        if (isFirstToClose()) {
            runtime.closeAll(failure);
        }
    }

    private synchronized boolean isFirstToClose() {
        boolean isFirst = !closed;
        closed = true;
        return isFirst;
    }

    /** Which cluster it is of. */
    @Override
    public String toString() {
        String namenode = configuration().get(CrailKeys.NAMENODE_ADDRESS.name());
        return "store of " + (namenode == null ? "the default namenode" : namenode) + (closed ? ", closed" : "");
    }
}
