/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.server;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.CrailException;
import org.apache.crail.internal.HostPort;
import org.apache.crail.namenode.Namenode;
import org.apache.crail.namenode.NamenodeOptions;
import org.apache.crail.netty.TcpTierKeys;
import org.apache.crail.storage.datanode.Datanode;

/** A namenode and datanodes of the tcp tier in this process, closed together. Used by one thread. */
final class MiniServers implements AutoCloseable {
    private static final long SIZE_BYTES = 256L << 20;
    private static final String TIER = "org.apache.crail.storage.tcp.TcpStorageTier";

    private final CrailConfiguration conf;
    private final Deque<Datanode> datanodes = new ArrayDeque<>();
    private final Namenode namenode;

    private MiniServers(CrailConfiguration conf, Integer port) throws CrailException {
        this.conf = conf;
        this.namenode =
                Namenode.start(conf, new NamenodeOptions(null, port == null ? NamenodeOptions.CONFIGURED : port));
        LastWords.endInDoubt(namenode);
        conf.set(CrailKeys.NAMENODE_ADDRESS.name(), "crail://" + HostPort.text(namenode.address()));
    }

    /**
     * Starts all.
     *
     * @param port of the namenode, or null for the configured one
     * @param sizeBytes what each datanode offers, or null for the configured size or a small default
     */
    static MiniServers start(CrailConfiguration base, int datanodes, Integer port, Long sizeBytes)
            throws CrailException {
        CrailConfiguration conf = base.copy();
        if (sizeBytes != null || !conf.isSet(TcpTierKeys.STORAGE_LIMIT)) {
            long limit = sizeBytes == null ? SIZE_BYTES : sizeBytes;
            conf.set(TcpTierKeys.STORAGE_LIMIT, limit);
            if (!conf.isSet(TcpTierKeys.STORAGE_ALLOCATION_SIZE)) {
                conf.set(TcpTierKeys.STORAGE_ALLOCATION_SIZE, limit);
            }
        }
        conf.set(TcpTierKeys.STORAGE_PORT, 0);
        MiniServers servers = new MiniServers(conf, port);
        boolean started = false;
        try {
            for (int i = 0; i < datanodes; i++) {
                servers.datanodes.push(Datanode.start(conf, TIER, -1, List.of()));
            }
            started = true;
            return servers;
        } finally {
            if (!started) {
                servers.close();
            }
        }
    }

    /** Where clients find the namenode. */
    String address() {
        return conf.get(CrailKeys.NAMENODE_ADDRESS.name());
    }

    /** What clients use. */
    CrailConfiguration configuration() {
        return conf.copy();
    }

    @Override
    public void close() {
        datanodes.forEach(Datanode::close);
        namenode.close();
    }
}
