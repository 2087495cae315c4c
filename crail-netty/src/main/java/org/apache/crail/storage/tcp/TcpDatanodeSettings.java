/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.internal.IdleStrategy;
import org.apache.crail.netty.SocketDirectory;
import org.apache.crail.netty.TcpTierKeys;
import org.apache.crail.storage.file.MemoryTierKeys;
import org.apache.crail.storage.file.MemoryTierSettings;
import org.apache.crail.storage.file.TierOptions;

/**
 * What a datanode is started with, checked. Immutable.
 *
 * @param memory where it listens and what it offers
 * @param threads that serve connections, or 0 for as many as fit the machine
 * @param clusterId the cluster
 * @param mapped whether clients on this host may copy blocks themselves
 * @param localSockets where its Unix domain socket is to be, if it is to have one
 * @param idle what its threads do before they sleep
 */
record TcpDatanodeSettings(
        MemoryTierSettings memory,
        int threads,
        String clusterId,
        boolean mapped,
        Optional<SocketDirectory> localSockets,
        IdleStrategy.Kind idle) {
    private static final MemoryTierKeys KEYS = new MemoryTierKeys(
            "tcp",
            TcpTierKeys.STORAGE_INTERFACE,
            TcpTierKeys.STORAGE_PORT,
            TcpTierKeys.STORAGE_LIMIT,
            TcpTierKeys.STORAGE_ALLOCATION_SIZE,
            TcpTierKeys.STORAGE_DATA_PATH);
    private static final TierOptions OPTIONS = new TierOptions(
            "tcp",
            Map.of(
                    "-p", TcpTierKeys.STORAGE_PORT,
                    "-i", TcpTierKeys.STORAGE_INTERFACE,
                    "-c", TcpTierKeys.STORAGE_CORES,
                    "-d", TcpTierKeys.STORAGE_DATA_PATH,
                    "-l", TcpTierKeys.STORAGE_LIMIT),
            "-p port, -i network interface, -c threads, -d data path, -l storage limit");

    /** Where a datanode with these options listens on its host. */
    static String listensAt(CrailConfiguration configuration, List<String> options) throws ConfigurationException {
        return KEYS.listensAt(OPTIONS.apply(configuration, options));
    }

    /** Reads the configuration, and the options, which override it. */
    static TcpDatanodeSettings of(CrailConfiguration configuration, List<String> options)
            throws ConfigurationException {
        CrailConfiguration conf = OPTIONS.apply(configuration, options);
        return new TcpDatanodeSettings(
                MemoryTierSettings.of(conf, KEYS),
                conf.get(TcpTierKeys.STORAGE_CORES),
                conf.get(CrailKeys.CLUSTER_ID),
                conf.get(TcpTierKeys.STORAGE_MAPPED),
                SocketDirectory.of(conf),
                IdleStrategy.Kind.of(conf.get(CrailKeys.IDLE_STRATEGY)));
    }
}
