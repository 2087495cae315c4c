/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import java.util.List;
import org.apache.crail.conf.ConfigKey;
import org.apache.crail.conf.ConfigKeys;

/** Lists {@link NvmfTierKeys} for {@link java.util.ServiceLoader}. Immutable. */
public final class NvmfTierKeyList implements ConfigKeys {
    private static final List<ConfigKey<?>> KEYS = List.of(
            NvmfTierKeys.STORAGE_IP,
            NvmfTierKeys.STORAGE_PORT,
            NvmfTierKeys.STORAGE_NQN,
            NvmfTierKeys.STORAGE_HOST_NQN,
            NvmfTierKeys.STORAGE_NAMESPACE,
            NvmfTierKeys.STORAGE_OFFSET,
            NvmfTierKeys.STORAGE_LIMIT,
            NvmfTierKeys.STORAGE_ALLOCATION_SIZE,
            NvmfTierKeys.STORAGE_QUEUE_SIZE,
            NvmfTierKeys.STORAGE_STAGING_SIZE,
            NvmfTierKeys.STORAGE_KEEPALIVE,
            NvmfTierKeys.STORAGE_CONNECT_TIMEOUT);

    @Override
    public List<ConfigKey<?>> keys() {
        return KEYS;
    }
}
