/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import java.util.List;
import org.apache.crail.conf.ConfigKey;
import org.apache.crail.conf.ConfigKeys;

/** Lists {@link TcpTierKeys} for {@link java.util.ServiceLoader}. Immutable. */
public final class TcpTierKeyList implements ConfigKeys {
    private static final List<ConfigKey<?>> KEYS = List.of(
            TcpTierKeys.UNIX_SOCKETS,
            TcpTierKeys.UNIX_SOCKET_PATH,
            TcpTierKeys.NAMENODE_CORES,
            TcpTierKeys.NAMENODE_MAPPED,
            TcpTierKeys.NAMENODE_QUEUE_DEPTH,
            TcpTierKeys.NAMENODE_MESSAGE_SIZE,
            TcpTierKeys.STORAGE_INTERFACE,
            TcpTierKeys.STORAGE_PORT,
            TcpTierKeys.STORAGE_LIMIT,
            TcpTierKeys.STORAGE_ALLOCATION_SIZE,
            TcpTierKeys.STORAGE_DATA_PATH,
            TcpTierKeys.STORAGE_CORES,
            TcpTierKeys.STORAGE_CLIENT_CORES,
            TcpTierKeys.STORAGE_MAPPED,
            TcpTierKeys.STORAGE_QUEUE_DEPTH);

    @Override
    public List<ConfigKey<?>> keys() {
        return KEYS;
    }
}
