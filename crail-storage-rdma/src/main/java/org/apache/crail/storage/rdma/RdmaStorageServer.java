/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import java.net.InetSocketAddress;
import java.util.Optional;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.Region;
import org.apache.crail.storage.StorageServer;
import org.apache.crail.storage.file.DataDirectory;
import org.apache.crail.verbs.NativeVerbs;

/**
 * A datanode's side of the tier: registers memory and accepts clients; transfers take none of its time. Thread safe.
 */
final class RdmaStorageServer implements StorageServer {
    private final Listener listener;
    private final DataDirectory directory;
    private final OfferedRegions regions;
    private boolean closed;

    private RdmaStorageServer(RdmaDatanodeSettings settings, Listener listener, DataDirectory directory) {
        this.listener = listener;
        this.directory = directory;
        this.regions = new OfferedRegions(settings, directory, listener.domain());
    }

    /** Binds and takes a directory; regions are made one by one. */
    static RdmaStorageServer start(RdmaDatanodeSettings settings) throws CrailException {
        requireMemlock(settings);
        Listener listener = Listener.open(settings.address(), settings.backlog());
        RdmaStorageServer server = null;
        try {
            DataDirectory directory = settings.persistent()
                    ? settings.memory().claimKeptDirectory(listener.address())
                    : settings.memory().claimDirectory(listener.address());
            server = new RdmaStorageServer(settings, listener, directory);
            listener.start();
            return server;
        } finally {
            if (server == null) {
                listener.close();
            }
        }
    }

    private static void requireMemlock(RdmaDatanodeSettings settings) throws ConfigurationException {
        long bytes = settings.memory().totalBytes();
        Throwable cause =
                NativeVerbs.memlockCause(bytes + (settings.localMap() ? OfferedRegions.PROOF_LOCKED_BYTES : 0));
        if (cause != null) {
            throw new ConfigurationException(
                    "the datanode cannot offer " + bytes + " bytes: " + cause.getMessage() + "; or lower "
                            + RdmaTierKeys.STORAGE_LIMIT,
                    cause);
        }
    }

    @Override
    public InetSocketAddress address() {
        return listener.address();
    }

    @Override
    public synchronized Optional<Region> allocateRegion() throws CrailException {
        if (closed) {
            throw new ClosedException("the datanode has been closed and allocates nothing");
        }
        return regions.next();
    }

    @Override
    public long incarnation() {
        return directory.incarnation();
    }

    @Override
    public boolean hasFormerData() {
        return directory.hasFormerData();
    }

    @Override
    public boolean isAlive() {
        return listener.isAlive() && directory.isHealthy();
    }

    /** Clients that are connected now. */
    int connections() {
        return listener.connections();
    }

    /** Memory regions that are registered now. */
    int registeredRegions() {
        return regions.registered();
    }

    DataDirectory directory() {
        return directory;
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        listener.stopClients();
        regions.close();
        listener.close();
        directory.close();
    }
}
