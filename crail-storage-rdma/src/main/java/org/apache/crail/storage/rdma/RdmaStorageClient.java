/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.storage.StorageClient;
import org.apache.crail.storage.StorageEndpoint;

/** A store's side of the tier: devices, and the endpoints that share them. All methods are thread safe. */
final class RdmaStorageClient implements StorageClient {
    private static final long THREAD_LIFE_SECONDS = 10;

    private final ClientSettings settings;
    private final RdmaCounters counters;
    private final Connector connector;
    private final ExecutorService connecting = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            THREAD_LIFE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            RdmaStorageClient::connectThread,
            new ThreadPoolExecutor.DiscardPolicy()); // after close, when all endpoints are closed, too
    private final Set<RdmaStorageEndpoint> endpoints = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    RdmaStorageClient(CrailConfiguration configuration, RdmaCounters counters) throws CrailException {
        this.settings = ClientSettings.of(configuration);
        this.counters = counters;
        this.connector = new Connector(settings, counters);
    }

    /** Connecting blocks, so each attempt has a thread; threads end a while after the last. */
    private static Thread connectThread(Runnable task) {
        Thread thread = new Thread(task, "crail-rdma-connect");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public StorageEndpoint createEndpoint(DataNodeInfo datanode) throws CrailException {
        EndpointLink link = new EndpointLink(datanode, settings, connector, connecting, counters);
        RdmaStorageEndpoint endpoint = new RdmaStorageEndpoint(link, settings, endpoints::remove);
        endpoints.add(endpoint);
        if (closed) {
            endpoint.close();
            throw closedError();
        }
        return endpoint;
    }

    private static ClosedException closedError() {
        return new ClosedException("the client of the rdma tier has been closed; make another store");
    }

    /** Memory regions that are registered now. */
    int registeredRegions() {
        return connector.registeredRegions();
    }

    @Override
    public void close() {
        closed = true;
        endpoints.forEach(RdmaStorageEndpoint::close);
        connector.close(closedError());
        connecting.shutdown();
    }
}
