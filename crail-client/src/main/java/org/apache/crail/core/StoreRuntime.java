/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailStatistics;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.core.block.BlockCache;
import org.apache.crail.core.block.BlockLocator;
import org.apache.crail.core.block.CoreIOStatistics;
import org.apache.crail.core.block.EndpointCache;
import org.apache.crail.core.block.StoreParts;
import org.apache.crail.core.block.TransferCounters;
import org.apache.crail.core.call.ClusterSettings;
import org.apache.crail.core.call.MetadataCalls;
import org.apache.crail.core.call.NamenodeRouter;
import org.apache.crail.core.call.Waiting;
import org.apache.crail.memory.BufferCache;
import org.apache.crail.rpc.message.HelloResponse;
import org.apache.crail.utils.BufferCheckpoint;

/** The life of one open store: makes its parts, and closes them. All methods are thread safe. */
final class StoreRuntime {
    private final CrailConfiguration configuration;
    private final StoreParts parts;
    private final BlockLocator locator;
    private final OpenStreams streams;
    private final CrailStatistics statistics = new CrailStatistics();
    private final BufferCheckpoint checkpoint = new BufferCheckpoint();
    private final boolean debug;
    private final int sliceSize;

    private StoreRuntime(StoreContext context, NamenodeRouter router, HelloResponse cluster) throws Exception {
        this.configuration = context.configuration();
        ClusterSettings settings = ClusterSettings.adopt(configuration, cluster);
        this.parts = parts(context, new MetadataCalls(router, settings));
        this.locator = BlockLocator.of(parts.calls(), configuration);
        this.streams = new OpenStreams(parts);
        this.sliceSize = configuration.get(CrailKeys.SLICE_SIZE);
        this.debug = configuration.get(CrailKeys.DEBUG);
        statistics.addProvider(parts.inputStatistics());
        statistics.addProvider(parts.outputStatistics());
        statistics.addProvider(streams.statistics());
        statistics.addProvider(parts.buffers());
        statistics.addProvider(parts.endpoints());
        statistics.addProvider(parts.transfers());
    }

    private static StoreParts parts(StoreContext context, MetadataCalls calls) throws Exception {
        CrailConfiguration configuration = context.configuration();
        boolean counting = configuration.get(CrailKeys.STATISTICS);
        return new StoreParts(
                calls,
                new BlockCache(context.nanoClock(), calls.settings().leaseNs(), BlockCache.DEFAULT_LIMIT),
                EndpointCache.create(
                        configuration, context.tiers(), calls.router().transport()),
                BufferCache.createInstance(configuration),
                new TransferCounters(),
                new CoreIOStatistics("core/input", counting),
                new CoreIOStatistics("core/output", counting));
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

    CrailConfiguration configuration() {
        return configuration;
    }

    StoreParts parts() {
        return parts;
    }

    BlockLocator locator() {
        return locator;
    }

    OpenStreams streams() {
        return streams;
    }

    CrailStatistics statistics() {
        return statistics;
    }

    int sliceSize() {
        return sliceSize;
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

    /**
     * Closes streams, waits for what is in flight, and closes all parts.
     *
     * @param before what has failed before; null if nothing has
     * @throws IOException the first failure, with the others suppressed; all is closed all the same
     */
    void closeAll(IOException before) throws IOException {
        List<IOException> failures = new ArrayList<>();
        if (before != null) {
            failures.add(before);
        }
        failures.addAll(streams.closeAll());
        try {
            awaitIdle();
        } catch (IOException e) {
            failures.add(e);
        } finally {
            close();
        }
        if (!failures.isEmpty()) {
            IOException first = failures.get(0);
            failures.stream().skip(1).filter(other -> other != first).forEach(first::addSuppressed);
            throw first;
        }
    }

    private void awaitIdle() throws IOException {
        MetadataCalls calls = parts.calls();
        Waiting.settle("closing: operations in flight", calls.operations().idle(), calls.waitLimitMs());
    }

    private void close() {
        streams.stop();
        parts.endpoints().close();
        parts.router().close();
        parts.blocks().clear();
        parts.buffers().close();
    }
}
