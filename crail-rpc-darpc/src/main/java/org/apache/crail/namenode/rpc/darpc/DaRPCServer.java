/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import com.ibm.disni.verbs.RdmaCmId;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.error.ClosedException;
import org.apache.crail.internal.LastResort;
import org.apache.crail.rpc.transport.RpcServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts connections on one address and spreads them over its clusters. The connection manager's thread only takes
 * requests down, another one makes and frees connections, and each cluster's thread serves its own. All methods are
 * thread safe.
 */
final class DaRPCServer implements RpcServer {
    private static final Logger LOG = LoggerFactory.getLogger(DaRPCServer.class);
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final long CLOSE_LIMIT_MS = 5_000;

    private final DaRPCSettings settings;
    private final Acceptor acceptor;
    private final String name = "crail-darpc-server-" + COUNT.incrementAndGet();
    private final ThreadPoolExecutor worker;
    private final List<ConnectionCluster> clusters = new ArrayList<>();
    private final Set<VerbsEndpoint> connections = new HashSet<>();
    private final VerbsGroup group;
    private ConnectListener listener;
    private InetSocketAddress address;
    private boolean closed;

    /** Makes a server; {@link #listen} comes next. */
    DaRPCServer(DaRPCSettings settings, Acceptor acceptor) throws IOException {
        this.settings = settings;
        this.acceptor = acceptor;
        this.group = VerbsGroup.open(settings);
        this.worker = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread thread = new Thread(task, name + "-connects");
            thread.setDaemon(true);
            return thread;
        });
        worker.prestartCoreThread(); // later there may be none to be had
    }

    /** Binds the address and starts the clusters; if that fails the server has to be closed. */
    synchronized void listen(InetSocketAddress wanted) throws Exception {
        RdmaCmId id = group.createServerEndpoint().getIdPriv();
        listener = new ConnectListener(group, id, this::onRequest, this::onRemoval);
        group.listenWith(id, listener);
        listener.bind(wanted, settings.backlog());
        address = (InetSocketAddress) listener.getSrcAddr();
        for (long mask : settings.clusterMasks()) {
            ConnectionCluster cluster = new ConnectionCluster(settings, name + "-" + clusters.size(), mask);
            cluster.loop().open(id.getVerbs());
            clusters.add(cluster);
            cluster.start();
        }
    }

    @Override
    public synchronized InetSocketAddress address() {
        return address;
    }

    /** Connections that are open or about to be. */
    synchronized int connections() {
        return connections.size();
    }

    private synchronized void onRequest(RdmaCmId id) {
        CompletionLoop loop = clusters.stream()
                .map(ConnectionCluster::loop)
                .max(Comparator.comparingInt(CompletionLoop::freePlaces))
                .orElse(null);
        int number = closed || loop == null ? -1 : loop.reserve();
        try {
            if (number < 0) {
                refuse(id);
            } else {
                take(id, loop, number);
            }
        } catch (IOException | RuntimeException | Error e) { // out of here it would end the thread that listens
            LastResort.tell(failure -> LOG.warn("{}: a connect failed", Addresses.text(address), failure), e);
        }
    }

    /** The connections are told, each for itself. */
    private void onRemoval() {
        LOG.warn(
                "the RDMA device of {} has been removed: connections over it end, and nobody can connect until this namenode"
                        + " is started again; `rdma link` shows whether the device is back",
                Addresses.text(address()));
    }

    /** An id that is destroyed before it is accepted is refused. */
    private void refuse(RdmaCmId id) throws IOException {
        if (!closed) {
            LOG.warn(
                    "{} refuses {}: all {} places for connections are taken; raise {} or name more processors in {}",
                    Addresses.text(address),
                    id.getDestination(),
                    settings.clusterSize() * clusters.size(),
                    DaRPCKeys.CLUSTER_SIZE,
                    DaRPCKeys.AFFINITY);
        }
        id.destroyId();
    }

    private void take(RdmaCmId id, CompletionLoop loop, int number) throws IOException {
        VerbsEndpoint endpoint;
        try {
            endpoint = group.acceptEndpoint(id);
        } catch (IOException | RuntimeException | Error e) {
            loop.release(number);
            id.destroyId();
            throw e;
        }
        ServerChannel channel = new ServerChannel(endpoint, loop, settings.greeting(), acceptor);
        endpoint.attach(loop, number, channel, () -> worker.execute(() -> free(endpoint)));
        connections.add(endpoint);
        worker.execute(() -> accept(endpoint));
    }

    private void accept(VerbsEndpoint endpoint) {
        try {
            if (!endpoint.isEnding()) {
                endpoint.notePeer((InetSocketAddress) endpoint.getDstAddr());
                endpoint.allocateResources();
                endpoint.loop().attach(endpoint);
                endpoint.getIdPriv().accept(group.getConnParam());
            }
        } catch (IOException e) {
            LOG.warn("{} could not accept {}", Addresses.text(address()), endpoint.peer(), e);
            endpoint.end(e);
        } catch (RuntimeException | Error e) {
            endpoint.end(e);
            LOG.error("{} failed to accept {}", Addresses.text(address()), endpoint.peer(), e);
        }
    }

    private void free(VerbsEndpoint endpoint) {
        endpoint.destroy();
        endpoint.loop().release(endpoint.number());
        synchronized (this) {
            connections.remove(endpoint);
            notifyAll();
        }
    }

    @Override
    public void close() {
        List<VerbsEndpoint> open;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            open = List.copyOf(connections);
        }
        ClosedException cause = new ClosedException("this namenode has closed its server");
        try {
            closeListener();
            open.forEach(endpoint -> endpoint.end(cause));
            if (clusters.stream().noneMatch(cluster -> cluster.loop().isCurrent())) {
                free();
            } else {
                new Thread(this::freeUninterrupted, name + "-close").start();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void closeListener() throws InterruptedException {
        if (listener != null) {
            try {
                listener.close();
            } catch (IOException e) {
                LOG.warn("{} could not be closed", name, e);
            }
            group.forget(listener);
        }
    }

    /** Waits until nothing is left of any connection, for a limited time. */
    synchronized void awaitNoConnections() throws InterruptedException {
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSE_LIMIT_MS);
        while (!connections.isEmpty()) {
            long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
            if (leftMs <= 0) {
                LOG.warn("{} connections did not end within {} ms", connections.size(), CLOSE_LIMIT_MS);
                return;
            }
            wait(leftMs);
        }
    }

    private void freeUninterrupted() {
        try {
            free();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void free() throws InterruptedException {
        awaitNoConnections();
        worker.shutdown();
        worker.awaitTermination(CLOSE_LIMIT_MS, TimeUnit.MILLISECONDS);
        for (ConnectionCluster cluster : clusters) {
            cluster.close(CLOSE_LIMIT_MS);
        }
        try {
            group.close();
        } catch (IOException e) {
            LOG.warn("the event channel of {} could not be freed", name, e);
        }
    }
}
