/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.storage.direct.TransferLimits;

/**
 * What the client side is started with. Immutable.
 *
 * @param queueSize work requests in flight for each connection
 * @param polling whether to poll for completions a while before waiting for events
 * @param connectTimeoutMs limit of making a connection
 * @param limits of transfers
 */
record ClientSettings(int queueSize, boolean polling, int connectTimeoutMs, TransferLimits limits) {
    static ClientSettings of(CrailConfiguration conf) throws ConfigurationException {
        return new ClientSettings(
                conf.get(RdmaTierKeys.STORAGE_QUEUE_SIZE),
                "passive".equals(conf.get(RdmaTierKeys.STORAGE_TYPE)),
                (int) conf.get(RdmaTierKeys.STORAGE_CONNECT_TIMEOUT).toMillis(),
                TransferLimits.of(conf));
    }
}
