/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.block;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.crail.CrailStatistics;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.rpc.transport.RpcTransport;
import org.apache.crail.storage.StorageClient;
import org.apache.crail.storage.StorageEndpoint;
import org.apache.crail.storage.StorageTier;

/**
 * One endpoint per datanode of a store, made at first use, and one client per tier that is used. Endpoints reconnect by
 * themselves. All methods are thread safe and none waits for a connection.
 */
public final class EndpointCache implements CrailStatistics.StatisticsProvider, AutoCloseable {
    private final CrailConfiguration configuration;
    private final List<StorageTier> tiers;
    private final RpcTransport metadata;
    private final StorageClient[] clients;
    private final ConcurrentMap<Key, StorageEndpoint> endpoints = new ConcurrentHashMap<>();
    private final UnreachableDatanodes unreachable = new UnreachableDatanodes();
    private final LongAdder made = new LongAdder();
    private boolean closed;

    /** Who a datanode is, whatever its class. Each get compares it, and what a record has for that is slow at first. */
    private record Key(int storageType, String host, int port, String locator) {
        static Key of(DataNodeInfo datanode) {
            return new Key(datanode.getStorageType(), datanode.host(), datanode.getPort(), datanode.locator());
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key that
                    && port == that.port
                    && storageType == that.storageType
                    && host.equals(that.host)
                    && locator.equals(that.locator);
        }

        @Override
        public int hashCode() {
            return 31 * host.hashCode() + port;
        }
    }

    private EndpointCache(CrailConfiguration configuration, List<StorageTier> tiers, RpcTransport metadata) {
        this.configuration = configuration;
        this.tiers = tiers;
        this.metadata = metadata;
        this.clients = new StorageClient[tiers.size()];
    }

    /**
     * Prepares the tiers of a configuration.
     *
     * @param given by storage type, or null for those that crail.storage.types names
     * @param metadata to be closed after the cache
     */
    public static EndpointCache create(CrailConfiguration configuration, List<StorageTier> given, RpcTransport metadata)
            throws CrailException {
        if (given != null) {
            return new EndpointCache(configuration, given, metadata);
        }
        List<StorageTier> tiers = new ArrayList<>();
        for (String className : configuration.get(CrailKeys.STORAGE_TYPES)) {
            tiers.add(StorageTier.createInstance(className));
        }
        return new EndpointCache(configuration, tiers, metadata);
    }

    /** The endpoint to the datanode that holds a block. */
    public StorageEndpoint endpoint(LeasedBlock location) throws CrailException {
        StorageEndpoint known = location.endpoint();
        if (known == null) {
            known = endpoint(location.block.getDnInfo());
            location.endpoint(known);
        }
        return known;
    }

    private StorageEndpoint endpoint(DataNodeInfo datanode) throws CrailException {
        Key key = Key.of(datanode);
        StorageEndpoint known = endpoints.get(key);
        return known != null ? known : make(key, datanode);
    }

    /** Datanodes on which no new block should be tried. */
    UnreachableDatanodes unreachable() {
        return unreachable;
    }

    private synchronized StorageEndpoint make(Key key, DataNodeInfo datanode) throws CrailException {
        if (closed) {
            throw new ClosedException("cannot reach datanode " + datanode.address() + ": the store has been closed");
        }
        StorageEndpoint known = endpoints.get(key);
        if (known == null) {
            known = client(datanode).createEndpoint(datanode);
            endpoints.put(key, known);
            made.increment();
        }
        return known;
    }

    private StorageClient client(DataNodeInfo datanode) throws CrailException {
        int type = datanode.getStorageType();
        if (type < 0 || type >= tiers.size()) {
            throw new ConfigurationException("datanode " + datanode.address() + " is of storage type " + type + ", but "
                    + CrailKeys.STORAGE_TYPES + " lists " + tiers.size()
                    + " tiers here; list the same tiers in the same order on all hosts");
        }
        if (clients[type] == null) {
            clients[type] = newClient(tiers.get(type));
        }
        return clients[type];
    }

    private StorageClient newClient(StorageTier tier) throws CrailException {
        tier.requireAvailable();
        return tier.createClient(configuration, metadata);
    }

    @Override
    public synchronized void close() {
        closed = true;
        endpoints.values().forEach(StorageEndpoint::close);
        endpoints.clear();
        for (StorageClient client : clients) {
            if (client != null) {
                client.close();
            }
        }
    }

    @Override
    public String providerName() {
        return "cache/endpoint";
    }

    @Override
    public String printStatistics() {
        return "size " + endpoints.size() + ", made " + made.sum();
    }

    @Override
    public void mergeStatistics(CrailStatistics.StatisticsProvider provider) {
        if (provider instanceof EndpointCache other) {
            made.add(other.made.sum());
        }
    }

    @Override
    public void resetStatistics() {
        made.reset();
    }
}
