/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.storage.direct.TransferLimits;

/**
 * What the client side is started with. Immutable.
 *
 * @param queueSize entries of the queue of each connection
 * @param stagedSectors sectors of which parts may be under way at once, for each connection
 * @param connectTimeoutMs limit of making a connection
 * @param keepAliveMs time between keep-alives
 * @param limits of transfers
 */
record ClientSettings(
        int queueSize, int stagedSectors, long connectTimeoutMs, long keepAliveMs, TransferLimits limits) {
    static ClientSettings of(CrailConfiguration conf) throws ConfigurationException {
        return new ClientSettings(
                conf.get(NvmfTierKeys.STORAGE_QUEUE_SIZE),
                conf.get(NvmfTierKeys.STORAGE_STAGING_SIZE),
                conf.get(NvmfTierKeys.STORAGE_CONNECT_TIMEOUT).toMillis(),
                conf.get(NvmfTierKeys.STORAGE_KEEPALIVE).toMillis(),
                TransferLimits.of(conf));
    }
}
