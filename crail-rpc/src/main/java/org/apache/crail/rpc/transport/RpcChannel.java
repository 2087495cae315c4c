/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.transport;

import java.nio.ByteBuffer;
import org.apache.crail.rpc.message.Encodable;

/** One end of a connection that carries whole messages in order. All methods are thread safe. */
public interface RpcChannel extends AutoCloseable {
    /**
     * Sends a message, without waiting. The transport encodes it now or later, once; if the connection ends first the
     * message is dropped and the receiver told. Messages that are sent close together leave together.
     */
    void send(Encodable message);

    /** The other end, for messages and logs. */
    String peer();

    /** Ends the connection; the receiver is told. */
    @Override
    void close();

    /** What a channel tells its owner. The calls for one channel never overlap. */
    interface Receiver {
        /**
         * A message arrived; the transport's thread waits for the return. The buffer is the transport's and is valid
         * during the call only.
         */
        void onMessage(ByteBuffer message);

        /** The connection ended, for a reason or, when this end closed it, null; the last call. */
        void onClosed(Throwable cause);
    }
}
