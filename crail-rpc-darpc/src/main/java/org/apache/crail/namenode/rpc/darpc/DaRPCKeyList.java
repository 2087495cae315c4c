/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import java.util.List;
import org.apache.crail.conf.ConfigKey;
import org.apache.crail.conf.ConfigKeys;

/** Lists {@link DaRPCKeys} for {@link java.util.ServiceLoader}. Immutable. */
public final class DaRPCKeyList implements ConfigKeys {
    private static final List<ConfigKey<?>> KEYS = List.of(
            DaRPCKeys.POLLING,
            DaRPCKeys.TYPE,
            DaRPCKeys.AFFINITY,
            DaRPCKeys.MAX_INLINE,
            DaRPCKeys.RECV_QUEUE,
            DaRPCKeys.SEND_QUEUE,
            DaRPCKeys.POLL_SIZE,
            DaRPCKeys.CLUSTER_SIZE,
            DaRPCKeys.BACKLOG,
            DaRPCKeys.CONNECT_TIMEOUT,
            DaRPCKeys.MESSAGE_SIZE);

    @Override
    public List<ConfigKey<?>> keys() {
        return KEYS;
    }
}
