/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import java.net.InetSocketAddress;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.conf.Plugins;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.CrailException;
import org.apache.crail.internal.HostPort;
import org.apache.crail.internal.SharedTimer;
import org.apache.crail.rpc.client.NamenodeAddress;
import org.apache.crail.rpc.server.MetadataAcceptor;
import org.apache.crail.rpc.transport.RpcServer;
import org.apache.crail.rpc.transport.RpcTransport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running namenode: the service, the transport that carries its messages, and its timer. All methods are thread safe.
 */
public final class Namenode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Namenode.class);
    private static final long HEAP_PERIOD_MS = 100;
    private static final long MIN_RECLAIM_PERIOD_MS = 5;
    private static final long MAX_RECLAIM_PERIOD_MS = 50;

    private final NameNodeService service;
    private final RpcTransport transport;
    private final RpcServer server;
    private final Future<?> reclamation;
    private final Future<?> heapWatch;

    private Namenode(
            NameNodeService service, RpcTransport transport, RpcServer server, HeapGuard guard, long reclaimPeriodMs) {
        this.service = service;
        this.transport = transport;
        this.server = server;
        this.reclamation = SharedTimer.every(reclaimPeriodMs, service::reclaim);
        this.heapWatch = SharedTimer.every(HEAP_PERIOD_MS, guard::look);
    }

    /**
     * Starts a namenode.
     *
     * @throws ConfigurationException if the configuration is wrong or asks for what this release does not do
     * @throws CrailException if the address cannot be bound; the message names it
     */
    public static Namenode start(CrailConfiguration conf, NamenodeOptions options) throws CrailException {
        conf.validate();
        checkSupported(conf);
        InetSocketAddress address = bindAddress(conf, options);
        NamenodeSettings settings = NamenodeSettings.of(conf, System.currentTimeMillis());
        NameNodeService service = Plugins.newInstance(
                CrailKeys.NAMENODE_RPC_SERVICE,
                conf.get(CrailKeys.NAMENODE_RPC_SERVICE),
                NameNodeService.class,
                settings,
                NamenodeClock.SYSTEM);
        RpcTransport transport = RpcTransport.createInstance(conf.get(CrailKeys.NAMENODE_RPC_TYPE), conf);
        boolean started = false;
        try {
            RpcServer server =
                    transport.listen(address, new MetadataAcceptor(service, conf.get(CrailKeys.NAMENODE_REPLY_MEMORY)));
            HeapGuard guard =
                    new HeapGuard(conf.get(CrailKeys.NAMENODE_HEAP_LIMIT), HeapGuard.longLived(), service::memoryShort);
            Namenode namenode = new Namenode(service, transport, server, guard, reclaimPeriodMs(settings));
            LOG.info(
                    "namenode of cluster {} is ready at {}, with an empty tree",
                    settings.clusterId(),
                    HostPort.text(server.address()));
            started = true;
            return namenode;
        } finally {
            if (!started) {
                transport.close();
            }
        }
    }

    /** What has been bound, with the port that the system chose. */
    public InetSocketAddress address() {
        return server.address();
    }

    /** The service, for programs that run everything in one process. */
    public NameNodeService service() {
        return service;
    }

    /** Ends all connections and waits for the threads of the transport. */
    @Override
    public void close() {
        reclamation.cancel(false);
        heapWatch.cancel(false);
        server.close();
        transport.close();
    }

    private static void checkSupported(CrailConfiguration conf) throws ConfigurationException {
        if (!conf.get(CrailKeys.NAMENODE_LOG).isEmpty()) {
            throw new ConfigurationException(CrailKeys.NAMENODE_LOG + " = " + conf.get(CrailKeys.NAMENODE_LOG)
                    + ": this release keeps no metadata log; leave the key empty");
        }
    }

    private static InetSocketAddress bindAddress(CrailConfiguration conf, NamenodeOptions options)
            throws ConfigurationException {
        HostPort configured = NamenodeAddress.of(conf);
        String host = options.host();
        if (host == null) {
            String bind = conf.get(CrailKeys.NAMENODE_BIND);
            host = bind.isEmpty() ? configured.host() : bind;
        }
        int port = options.port() == NamenodeOptions.CONFIGURED ? configured.port() : options.port();
        HostPort wanted = new HostPort(host, port);
        InetSocketAddress address = wanted.resolve();
        if (address.isUnresolved()) {
            throw new ConfigurationException("cannot listen on " + wanted + ": the host " + host
                    + " is unknown; correct " + CrailKeys.NAMENODE_ADDRESS + " or set " + CrailKeys.NAMENODE_BIND);
        }
        return address;
    }

    private static long reclaimPeriodMs(NamenodeSettings settings) {
        long quarterMs = TimeUnit.NANOSECONDS.toMillis(settings.tokenExpirationNs()) / 4;
        return Math.max(MIN_RECLAIM_PERIOD_MS, Math.min(MAX_RECLAIM_PERIOD_MS, quarterMs));
    }
}
