/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.device;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.storage.StorageClient;
import org.apache.crail.storage.StorageEndpoint;

/**
 * A store's side of a tier: its endpoints, and the threads in which they connect. All methods are thread safe.
 *
 * @param <T> transfers of the tier
 */
public final class DirectClient<T extends DirectTransfer> implements StorageClient {
    private static final long THREAD_LIFE_SECONDS = 10;

    private final String tier;
    private final TransferLimits limits;
    private final DirectSession.Maker<T> maker;
    private final Function<DirectTransfer.Range, T> transfers;
    private final ExecutorService connecting;
    private final Set<DirectEndpoint<T>> endpoints = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * Makes a client without endpoints.
     *
     * @param tier its short name
     * @param transfers begins transfers of the tier's own kind
     */
    public DirectClient(
            String tier,
            TransferLimits limits,
            DirectSession.Maker<T> maker,
            Function<DirectTransfer.Range, T> transfers) {
        this.tier = tier;
        this.limits = limits;
        this.maker = maker;
        this.transfers = transfers;
        this.connecting = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                THREAD_LIFE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                task -> connectThread(tier, task),
                new ThreadPoolExecutor.DiscardPolicy()); // after close, when all endpoints are closed, too
    }

    /** Connecting blocks, so each attempt has a thread; threads end a while after the last. */
    private static Thread connectThread(String tier, Runnable task) {
        Thread thread = new Thread(task, "crail-" + tier + "-connect");
        thread.setDaemon(true);
        return thread;
    }

    /** Where connections may be waited for. */
    public Executor executor() {
        return connecting;
    }

    @Override
    public StorageEndpoint createEndpoint(DataNodeInfo datanode) throws CrailException {
        DeviceLink<T> link = new DeviceLink<>(datanode, tier, limits, maker, connecting);
        DirectEndpoint<T> endpoint = new DirectEndpoint<>(link, limits, transfers, endpoints::remove);
        endpoints.add(endpoint);
        if (closed) {
            endpoint.close();
            throw closedError();
        }
        return endpoint;
    }

    /** Why nothing is transferred any more. */
    public ClosedException closedError() {
        return new ClosedException("the client of the " + tier + " tier has been closed; make another store");
    }

    @Override
    public void close() {
        closed = true;
        endpoints.forEach(DirectEndpoint::close);
        connecting.shutdown();
    }
}
