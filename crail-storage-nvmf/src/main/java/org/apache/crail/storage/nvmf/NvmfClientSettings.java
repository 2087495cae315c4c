/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.storage.device.TransferLimits;

/**
 * What the client side is started with. Immutable.
 *
 * @param queueSize entries of the queue of each connection
 * @param stagedSectors sectors of which parts may be under way at once, for each connection
 * @param connectTimeoutMs limit of making a connection
 * @param keepAliveMs time between keep-alives
 * @param settleMs how long after the end of a connection a target may still write what it had been given
 * @param limits of transfers
 */
record NvmfClientSettings(
        int queueSize,
        int stagedSectors,
        long connectTimeoutMs,
        long keepAliveMs,
        long settleMs,
        TransferLimits limits) {
    /**
     * How long writes stay in a device whose data the target has fetched, with a margin: a flash device takes some
     * milliseconds, a busy one that cleans up some hundred. NVMe has a value for it, the controller's command quiesce
     * time, but neither jNVMf nor the targets known to us tell it.
     */
    static final long MOST_SETTLE_MS = 1_000;

    static NvmfClientSettings of(CrailConfiguration conf) throws ConfigurationException {
        TransferLimits limits = TransferLimits.of(conf);
        return new NvmfClientSettings(
                conf.get(NvmfTierKeys.STORAGE_QUEUE_SIZE),
                conf.get(NvmfTierKeys.STORAGE_STAGING_SIZE),
                conf.get(NvmfTierKeys.STORAGE_CONNECT_TIMEOUT).toMillis(),
                conf.get(NvmfTierKeys.STORAGE_KEEPALIVE).toMillis(),
                Math.min(MOST_SETTLE_MS, limits.limitMs() / 2), // a repeat needs time, too
                limits);
    }
}
