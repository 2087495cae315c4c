/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.internal.IdleStrategy;
import org.apache.crail.netty.TcpTierKeys;

/**
 * What the client side is started with. Immutable.
 *
 * @param clusterId the cluster
 * @param connectTimeoutMs limit of making a connection, greeting included
 * @param dataTimeoutMs limit of a transfer
 * @param mapped whether to copy blocks of datanodes on this host without a socket
 * @param localSockets whether to use Unix domain sockets of datanodes on this host
 * @param idle what its threads do before they sleep
 */
record TcpClientSettings(
        String clusterId,
        int connectTimeoutMs,
        long dataTimeoutMs,
        boolean mapped,
        boolean localSockets,
        IdleStrategy.Kind idle) {
    private static final long LONGEST_SWEEP_MS = 100;

    static TcpClientSettings of(CrailConfiguration conf) throws ConfigurationException {
        return new TcpClientSettings(
                conf.get(CrailKeys.CLUSTER_ID),
                (int) conf.get(CrailKeys.CONNECT_TIMEOUT).toMillis(),
                conf.get(CrailKeys.DATA_TIMEOUT).toMillis(),
                conf.get(TcpTierKeys.STORAGE_MAPPED),
                conf.get(TcpTierKeys.UNIX_SOCKETS),
                IdleStrategy.Kind.of(conf.get(CrailKeys.IDLE_STRATEGY)));
    }

    /** How often transfers are looked through for those that are late. */
    long sweepMs() {
        return Math.max(1, Math.min(LONGEST_SWEEP_MS, dataTimeoutMs / 10));
    }
}
