/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The current connection of each client. Thread safe. */
final class ClientTable {
    private final ConcurrentMap<UUID, Channel> channels = new ConcurrentHashMap<>();

    /** Makes {@code channel} the client's only one; the future completes when the one before has ended. */
    Future<?> replace(UUID clientId, Channel channel) {
        Channel older = channels.put(clientId, channel);
        return older == null ? channel.newSucceededFuture() : older.close();
    }

    void remove(UUID clientId, Channel channel) {
        channels.remove(clientId, channel);
    }
}
