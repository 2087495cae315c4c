/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.datanode;

import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.AddressTakenException;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.NamenodeUnreachableException;
import org.apache.crail.error.OperationTimeoutException;
import org.apache.crail.internal.HostPort;
import org.apache.crail.internal.Surroundings;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.Region;
import org.apache.crail.rpc.client.NamenodeAddress;
import org.apache.crail.rpc.client.NamenodeConnection;
import org.apache.crail.rpc.message.HelloResponse;
import org.apache.crail.rpc.transport.RpcTransport;
import org.apache.crail.storage.StorageServer;
import org.apache.crail.storage.StorageTier;
import org.apache.crail.utils.CrailUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running datanode: the server side of one tier, its registration with the namenode, and its heartbeats. It runs
 * until it is closed. All methods are thread safe.
 */
public final class Datanode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Datanode.class);

    /**
     * The namenode misses a datanode after eight periods, by its own clock; twice as many leave time for a busy one.
     */
    static final int TRIES_WHILE_TAKEN = 16;

    private final RpcTransport transport;
    private final NamenodeConnection namenode;
    private StorageServer server;
    private final CompletableFuture<CrailException> replaced = new CompletableFuture<>();
    private Registration registration;
    private Heartbeats heartbeats;

    private Datanode(CrailConfiguration configuration, RpcTransport transport, HostPort address) throws CrailException {
        this.transport = transport;
        this.namenode = NamenodeConnection.of(transport, address::resolve, configuration);
    }

    /**
     * Starts a datanode and registers all its regions; returns when clients can use them.
     *
     * @param tierClass one of {@code crail.storage.types}, or null for the first
     * @param storageClass what its blocks belong to, or negative for the tier's place in {@code crail.storage.types}
     * @param tierArguments the tier's own options
     * @throws CrailException if the tier cannot start, or the namenode cannot be reached, or refuses; nothing is left
     *     running
     */
    public static Datanode start(
            CrailConfiguration configuration, String tierClass, int storageClass, List<String> tierArguments)
            throws CrailException {
        HostPort address = NamenodeAddress.of(configuration);
        RpcTransport transport =
                RpcTransport.createInstance(configuration.get(CrailKeys.NAMENODE_RPC_TYPE), configuration);
        return start(configuration, transport, address, tierClass, storageClass, tierArguments);
    }

    /** As above, over a transport that is given; the datanode closes it in the end. */
    public static Datanode start(
            CrailConfiguration configuration,
            RpcTransport transport,
            String tierClass,
            int storageClass,
            List<String> tierArguments)
            throws CrailException {
        return start(
                configuration, transport, NamenodeAddress.of(configuration), tierClass, storageClass, tierArguments);
    }

    private static Datanode start(
            CrailConfiguration configuration,
            RpcTransport transport,
            HostPort address,
            String tierClass,
            int storageClass,
            List<String> tierArguments)
            throws CrailException {
        Datanode datanode = new Datanode(configuration, transport, address);
        boolean started = false;
        try {
            datanode.launch(configuration, address, tierClass, storageClass, tierArguments);
            started = true;
            return datanode;
        } finally {
            if (!started) {
                datanode.close();
            }
        }
    }

    private void launch(
            CrailConfiguration configuration,
            HostPort namenodeAddress,
            String tierClass,
            int storageClass,
            List<String> tierArguments)
            throws CrailException {
        TierChoice choice = TierChoice.of(configuration, tierClass, storageClass);
        HelloResponse cluster = connect(configuration);
        CrailConfiguration own = configuration.copy();
        own.set(CrailKeys.SMALL_BLOCK_SIZE, (long)
                cluster.smallBlockBytes()); // the namenode's value is the one that counts
        own.set(CrailKeys.DATANODE_HOST, AdvertisedHost.find(configuration, namenodeAddress.resolve()));
        StorageTier tier = StorageTier.createInstance(choice.tierClass());
        tier.requireAvailable();
        server = tier.launchServer(own, tierArguments);
        DataNodeInfo self = new DataNodeInfo(
                choice.storageType(),
                choice.storageClass(),
                locationClass(),
                server.host().isEmpty()
                        ? AdvertisedHost.of(configuration, server.address(), own.get(CrailKeys.DATANODE_HOST))
                        : server.host(),
                server.address().getPort(),
                server.locator());
        registration = new Registration(namenode, self, server);
        registerRegions(configuration.get(CrailKeys.STORAGE_KEEPALIVE).toMillis());
        server.onRegistered();
        LOG.info("datanode {} is ready with {} bytes", self, registration.registeredBytes());
    }

    private static int locationClass() throws CrailException {
        try {
            return CrailUtils.getLocationClass().value();
        } catch (UnknownHostException e) {
            throw new ConfigurationException("this host does not tell its own name; set one, or mount /proc", e);
        }
    }

    private HelloResponse connect(CrailConfiguration configuration) throws CrailException {
        HelloResponse cluster = awaitNamenode(configuration.get(CrailKeys.DATANODE_CONNECT_LIMIT));
        long blockSizeBytes = configuration.get(CrailKeys.BLOCK_SIZE);
        if (cluster.blockSizeBytes() != blockSizeBytes) {
            throw new ConfigurationException("crail.blocksize is " + blockSizeBytes + " here and "
                    + cluster.blockSizeBytes() + " at the namenode; make them equal");
        }
        return cluster;
    }

    /** Whoever starts all servers of a cluster at once need not care which of them is ready first. */
    private HelloResponse awaitNamenode(Duration limit) throws CrailException {
        long startNs = Surroundings.nanoTime();
        boolean told = false;
        while (true) {
            try {
                return Registration.await(namenode.connect());
            } catch (NamenodeUnreachableException | OperationTimeoutException e) {
                if (Surroundings.nanoTime() - startNs >= limit.toNanos()) {
                    throw e;
                }
                if (!told) {
                    LOG.warn("no namenode yet, trying for {} s: {}", limit.toSeconds(), e.getMessage());
                    told = true;
                }
            }
        }
    }

    /** What is registered is used from then on, so heartbeats begin with the first region. */
    private void registerRegions(long periodMs) throws CrailException {
        Optional<Region> region = server.allocateRegion();
        if (region.isEmpty()) {
            throw new ConfigurationException(
                    "the datanode has no region to offer; raise the storage limit of its tier");
        }
        registerFirst(region.get(), periodMs);
        heartbeats = new Heartbeats(registration, periodMs, server::isAlive, replaced);
        region = server.allocateRegion();
        while (region.isPresent()) {
            registration.register(region.get());
            region = server.allocateRegion();
        }
    }

    /**
     * A datanode that was killed keeps its address until the namenode has missed it: one that takes its place waits for
     * that.
     */
    private void registerFirst(Region region, long periodMs) throws CrailException {
        for (int tries = 1; ; tries++) {
            try {
                registration.register(region);
                return;
            } catch (AddressTakenException e) {
                if (tries == TRIES_WHILE_TAKEN) {
                    throw e;
                }
                if (tries == 1) {
                    LOG.warn(
                            "waiting {} ms for the other datanode to be missed: {}",
                            TRIES_WHILE_TAKEN * periodMs,
                            e.getMessage());
                }
                pause(periodMs);
            }
        }
    }

    private static void pause(long ms) throws ClosedException {
        try {
            Surroundings.pause(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClosedException("the datanode is being closed", e);
        }
    }

    /**
     * Completed, with the reason, when this datanode must end because another one has its place; whoever has started it
     * then closes it.
     */
    public CompletableFuture<CrailException> replaced() {
        return replaced;
    }

    /** The datanode as clients see it. */
    public DataNodeInfo info() {
        return registration.datanode();
    }

    /** Bytes that this datanode offers. */
    public long capacityBytes() {
        return registration.registeredBytes();
    }

    @Override
    public void close() {
        if (heartbeats != null) {
            heartbeats.close();
        } else if (registration != null && registration.registeredBytes() > 0) { // it did not start, but is known
            registration.signOff();
        }
        namenode.close();
        if (server != null) {
            server.close();
        }
        transport.close();
    }
}
