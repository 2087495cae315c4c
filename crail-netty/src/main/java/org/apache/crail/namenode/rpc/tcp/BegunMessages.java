/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import io.netty.util.internal.PlatformDependent;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What clients have begun to send and not finished, on all connections of a server: the memory for it is bounded in
 * all. When there is too much, those connections end that have held some for longest. Clients that send whole messages
 * hold none for more than moments. Those that leave their answers, so that the server reads no more from them, are not
 * counted: what they have sent is little beside their answers. Thread safe.
 */
final class BegunMessages {
    private static final int SHARE = 4;

    private final long limitBytes;
    private final Map<TcpServerChannel, Integer> bytesOf = new LinkedHashMap<>();
    private long totalBytes;

    BegunMessages(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** For a server that may use a part of the memory for buffers. */
    static BegunMessages ofDirectMemory() {
        return new BegunMessages(PlatformDependent.maxDirectMemory() / SHARE);
    }

    /** A connection holds so many bytes now, 0 if nothing is begun. */
    void hold(TcpServerChannel connection, int bytes) {
        for (TcpServerChannel tooMuch : put(connection, bytes)) {
            tooMuch.endBegun(limitBytes);
        }
    }

    private synchronized List<TcpServerChannel> put(TcpServerChannel connection, int bytes) {
        Integer before = bytes == 0 ? bytesOf.remove(connection) : bytesOf.put(connection, bytes);
        totalBytes += bytes - (before == null ? 0 : before);
        List<TcpServerChannel> tooMuch = new ArrayList<>();
        Iterator<Map.Entry<TcpServerChannel, Integer>> eldest =
                bytesOf.entrySet().iterator();
        while (totalBytes > limitBytes && eldest.hasNext()) {
            Map.Entry<TcpServerChannel, Integer> entry = eldest.next();
            totalBytes -= entry.getValue();
            tooMuch.add(entry.getKey());
            eldest.remove();
        }
        return tooMuch;
    }

    synchronized long totalBytes() {
        return totalBytes;
    }
}
