/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.transport;

import java.net.InetSocketAddress;

/** Accepts connections of a transport. All methods are thread safe. */
public interface RpcServer extends AutoCloseable {
    /** What has been bound, with the port that the system chose. */
    InetSocketAddress address();

    /** Stops accepting and ends all accepted connections. */
    @Override
    void close();

    /** Takes new connections. */
    interface Acceptor {
        /** A client connected; the result is told of what arrives. */
        RpcChannel.Receiver accept(RpcChannel channel);
    }
}
