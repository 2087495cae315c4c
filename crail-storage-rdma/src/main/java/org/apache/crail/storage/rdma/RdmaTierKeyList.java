/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import java.util.List;
import org.apache.crail.conf.ConfigKey;
import org.apache.crail.conf.ConfigKeys;

/** Lists {@link RdmaTierKeys} for {@link java.util.ServiceLoader}. Immutable. */
public final class RdmaTierKeyList implements ConfigKeys {
    private static final List<ConfigKey<?>> KEYS = List.of(
            RdmaTierKeys.STORAGE_INTERFACE,
            RdmaTierKeys.STORAGE_PORT,
            RdmaTierKeys.STORAGE_LIMIT,
            RdmaTierKeys.STORAGE_ALLOCATION_SIZE,
            RdmaTierKeys.STORAGE_DATA_PATH,
            RdmaTierKeys.STORAGE_LOCAL_MAP,
            RdmaTierKeys.STORAGE_QUEUE_SIZE,
            RdmaTierKeys.STORAGE_TYPE,
            RdmaTierKeys.STORAGE_PERSISTENT,
            RdmaTierKeys.STORAGE_BACKLOG,
            RdmaTierKeys.STORAGE_CONNECT_TIMEOUT);

    @Override
    public List<ConfigKey<?>> keys() {
        return KEYS;
    }
}
