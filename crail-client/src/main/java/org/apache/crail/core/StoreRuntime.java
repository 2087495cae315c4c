/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailStatistics;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.internal.Surroundings;
import org.apache.crail.memory.BufferCache;
import org.apache.crail.rpc.client.PendingCall;
import org.apache.crail.rpc.message.HelloResponse;
import org.apache.crail.rpc.message.Response;
import org.apache.crail.utils.BufferCheckpoint;

/** The parts of one open store, for each other's use. All methods are thread safe. */
final class StoreRuntime {
    private final NamenodeRouter router;
    private final CrailConfiguration configuration;
    private final ClusterSettings settings;
    private final BlockCache blocks;
    private final EndpointCache endpoints;
    private final BufferCache buffers;
    private final RecordWriter records;
    private final OpenStreams streams;
    private final TransferCounters transfers = new TransferCounters();
    private final CoreIOStatistics inputStatistics;
    private final CoreIOStatistics outputStatistics;
    private final CrailStatistics statistics = new CrailStatistics();
    private final InFlight namespaceOperations = new InFlight();
    private final BufferCheckpoint checkpoint = new BufferCheckpoint();
    private final HostMap hostMap;
    private final boolean debug;
    private final int sliceSize;

    private StoreRuntime(StoreContext context, NamenodeRouter router, HelloResponse cluster) throws Exception {
        LongSupplier nanoClock = context.nanoClock();
        this.router = router;
        this.configuration = context.configuration();
        this.settings = ClusterSettings.adopt(configuration, cluster);
        this.blocks = new BlockCache(nanoClock, settings.leaseNs(), BlockCache.DEFAULT_LIMIT);
        this.endpoints = EndpointCache.create(configuration, context.tiers(), router.transport());
        this.buffers = BufferCache.createInstance(configuration);
        this.records = new RecordWriter(this);
        boolean counting = configuration.get(CrailKeys.STATISTICS);
        this.inputStatistics = new CoreIOStatistics("core/input", counting);
        this.outputStatistics = new CoreIOStatistics("core/output", counting);
        this.hostMap = HostMap.of(configuration);
        this.streams = new OpenStreams(this);
        this.sliceSize = configuration.get(CrailKeys.SLICE_SIZE);
        this.debug = configuration.get(CrailKeys.DEBUG);
        statistics.addProvider(inputStatistics);
        statistics.addProvider(outputStatistics);
        statistics.addProvider(streams.statistics());
        statistics.addProvider(buffers);
        statistics.addProvider(endpoints);
    }

    /** Connects to the namenode and makes all parts; nothing is left open if that fails. */
    static StoreRuntime open(StoreContext context) throws Exception {
        NamenodeRouter router = NamenodeRouter.create(context.configuration(), context.transport());
        StoreRuntime runtime = null;
        try {
            runtime = new StoreRuntime(context, router, router.connect());
            return runtime;
        } finally {
            if (runtime == null) {
                router.close();
            }
        }
    }

    NamenodeRouter router() {
        return router;
    }

    CrailConfiguration configuration() {
        return configuration;
    }

    ClusterSettings settings() {
        return settings;
    }

    BlockCache blocks() {
        return blocks;
    }

    EndpointCache endpoints() {
        return endpoints;
    }

    BufferCache buffers() {
        return buffers;
    }

    RecordWriter records() {
        return records;
    }

    OpenStreams streams() {
        return streams;
    }

    TransferCounters transfers() {
        return transfers;
    }

    CoreIOStatistics inputStatistics() {
        return inputStatistics;
    }

    CoreIOStatistics outputStatistics() {
        return outputStatistics;
    }

    CrailStatistics statistics() {
        return statistics;
    }

    /** Creates, lookups, renames, deletes, and tokens that are given back, which have not completed. */
    InFlight namespaceOperations() {
        return namespaceOperations;
    }

    int sliceSize() {
        return sliceSize;
    }

    HostMap hostMap() {
        return hostMap;
    }

    BufferCheckpoint checkpoint() {
        return checkpoint;
    }

    /** With crail.debug: refuses a buffer that another operation uses. */
    void checkIn(CrailBuffer buffer) throws Exception {
        if (debug) {
            checkpoint.checkIn(buffer);
        }
    }

    /** With crail.debug: the operation that used the buffer has ended. */
    void checkOut(CrailBuffer buffer) {
        if (debug) {
            checkpoint.checkOut(buffer);
        }
    }

    /** Waits for what this thread has asked the namenode for. */
    <R extends Response> R await(String what, PendingCall<R> asked) throws IOException {
        return await(what, asked, asked);
    }

    /** Waits for what does not follow from a single call of this thread. */
    <T> T await(String what, Future<T> result) throws IOException {
        return await(what, result, null);
    }

    /** Waits for what follows from a call of this thread. */
    <T> T await(String what, Future<T> result, PendingCall<?> asked) throws IOException {
        long limitNs = Surroundings.beforeWait(result, TimeUnit.MILLISECONDS.toNanos(waitLimitMs()));
        router.await(result, asked, limitNs);
        return Waiting.await(what, result, waitLimitMs());
    }

    /** Waits for what follows from a call of this thread, also if it is interrupted. */
    <T> T settle(String what, Future<T> result, PendingCall<?> asked) throws IOException {
        router.await(result, asked, TimeUnit.MILLISECONDS.toNanos(waitLimitMs()));
        return Waiting.settle(what, result, waitLimitMs());
    }

    /** How long to wait for an operation that ends by itself: so long that not this limit, but its own shows. */
    long waitLimitMs() {
        return 2 * settings.operationTimeoutMs()
                + settings.rpcTimeoutMs()
                + settings.reclaimingMs()
                + TimeUnit.SECONDS.toMillis(1);
    }

    /** Closes streams, waits for what is in flight, and closes all parts; answers what failed. */
    List<IOException> closeAll() {
        List<IOException> failures = streams.closeAll();
        try {
            awaitIdle();
        } catch (IOException e) {
            failures.add(e);
        } finally {
            close();
        }
        return failures;
    }

    private void awaitIdle() throws IOException {
        Waiting.settle("closing: operations in flight", namespaceOperations.idle(), waitLimitMs());
        Waiting.settle("closing: directory records in flight", records.idle(), waitLimitMs());
    }

    private void close() {
        streams.stop();
        endpoints.close();
        router.close();
        blocks.clear();
        buffers.close();
    }
}
