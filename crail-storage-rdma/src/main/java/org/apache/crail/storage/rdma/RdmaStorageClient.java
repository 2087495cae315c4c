/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.CrailException;
import org.apache.crail.local.block.LocalClaim;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.storage.StorageClient;
import org.apache.crail.storage.StorageEndpoint;
import org.apache.crail.storage.device.DirectClient;
import org.apache.crail.storage.device.DirectSession;

/** A store's side of the tier: devices, and the endpoints that share them. All methods are thread safe. */
final class RdmaStorageClient implements StorageClient {
    private final RdmaClientSettings settings;
    private final RdmaCounters counters;
    private final Connector connector;
    private final DirectClient<RdmaTransfer> endpoints;
    private final LocalProofs proofs;

    RdmaStorageClient(CrailConfiguration configuration, RdmaCounters counters) throws CrailException {
        this.settings = RdmaClientSettings.of(configuration);
        this.counters = counters;
        this.connector = new Connector(settings, counters);
        this.proofs = new LocalProofs(settings.localPath());
        this.endpoints = new DirectClient<>("rdma", settings.limits(), this::connect, RdmaTransfer::new);
    }

    /** Connects, and finds out whether the datanode's memory is on this host. */
    private LinkSession connect(DataNodeInfo datanode, DirectSession.Listener listener) throws IOException {
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.connectTimeoutMs());
        InetSocketAddress address = Connector.addressOf(datanode);
        List<LocalClaim> claims = proofs.claims(address);
        LinkSession session = open(address, listener, deadlineNs);
        boolean isReady = false;
        try {
            for (LocalClaim claim : claims) {
                if (proofs.isTrue(claim, datanode, session, deadlineNs)) {
                    session.useMemory(claim.offer());
                    break;
                }
                if (session.hasEnded()) { // as a read that the datanode refuses ends its connection
                    session = open(address, listener, deadlineNs);
                }
            }
            isReady = true;
            return session;
        } finally {
            if (!isReady) {
                session.end(listener.unreachable("connecting failed", null));
            }
        }
    }

    private LinkSession open(InetSocketAddress address, DirectSession.Listener listener, long deadlineNs)
            throws IOException {
        LinkConnector.Connection made = connector.connect(address, deadlineNs);
        LinkSession session = new LinkSession(made.queue(), settings.queueSize(), made.loop(), counters, listener);
        made.loop().add(session);
        return session;
    }

    @Override
    public StorageEndpoint createEndpoint(DataNodeInfo datanode) throws CrailException {
        return endpoints.createEndpoint(datanode);
    }

    /** Memory regions that are registered now. */
    int registeredRegions() {
        return connector.registeredRegions();
    }

    @Override
    public void close() {
        endpoints.close();
        connector.close(endpoints.closedError());
    }
}
