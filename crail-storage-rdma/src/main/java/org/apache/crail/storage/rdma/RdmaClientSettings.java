/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import java.nio.file.Path;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.storage.device.TransferLimits;
import org.apache.crail.storage.file.MemoryTierSettings;

/**
 * What the client side is started with. Immutable.
 *
 * @param queueSize work requests in flight for each connection
 * @param polling whether to poll for completions a while before waiting for events
 * @param connectTimeoutMs limit of making a connection
 * @param limits of transfers
 * @param localPath where to look for the memory of datanodes on this host, or null not to use it
 */
record RdmaClientSettings(int queueSize, boolean polling, int connectTimeoutMs, TransferLimits limits, Path localPath) {
    static RdmaClientSettings of(CrailConfiguration conf) throws ConfigurationException {
        return new RdmaClientSettings(
                conf.get(RdmaTierKeys.STORAGE_QUEUE_SIZE),
                "passive".equals(conf.get(RdmaTierKeys.STORAGE_TYPE)),
                (int) conf.get(RdmaTierKeys.STORAGE_CONNECT_TIMEOUT).toMillis(),
                TransferLimits.of(conf),
                conf.get(RdmaTierKeys.STORAGE_LOCAL_MAP)
                        ? MemoryTierSettings.dataPath(conf, RdmaDatanodeSettings.KEYS)
                        : null);
    }
}
