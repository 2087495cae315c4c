/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.transport;

import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import org.apache.crail.internal.IdleStrategy;
import org.apache.crail.rpc.message.Encodable;

/** One end of a connection that carries whole messages in order. All methods are thread safe. */
public interface RpcChannel extends AutoCloseable {
    /**
     * Sends a message, without waiting. The transport encodes it now or later, once; if the connection ends first the
     * message is dropped and the receiver told. Messages that are sent close together leave together.
     */
    void send(Encodable message);

    /**
     * As {@link #send}, by a thread that will call {@link #await} next, or soon; if it does not, the answer may be
     * noticed a millisecond late.
     */
    default void sendAwaited(Encodable message) {
        send(message);
    }

    /**
     * As {@link #send}, without hurry: the message may wait for the next one, to leave together with it, but for no
     * longer than some milliseconds. Nobody is to wait for the answer. Messages of one thread stay in order.
     */
    default void sendWithNext(Encodable message) {
        send(message);
    }

    /**
     * Waits for a short while for what messages bring, by a thread that would otherwise sleep at once. Returns when it
     * has come, or when the thread had better sleep; messages arrive without that as well. Only answers to what this
     * thread has asked are handled here, besides those whose thread waits for itself.
     *
     * @param hasCome asked again and again
     * @param idle what the thread does in between
     * @param limitNs how long the thread is going to wait
     */
    default void await(BooleanSupplier hasCome, IdleStrategy idle, long limitNs) {
        boolean ignored = idle.await(hasCome, limitNs);
    }

    /**
     * Does what follows a message, for the receiver while it is told of one: here and now, or soon in the transport's
     * own thread, if the message may be an answer that another thread has asked for.
     */
    default void follow(Runnable what) {
        what.run();
    }

    /** The other end, for messages and logs. */
    String peer();

    /** Ends the connection; the receiver is told. */
    @Override
    void close();

    /** What a channel tells its owner. The calls for one channel never overlap. */
    interface Receiver {
        /**
         * A message arrived; who does the transport's work waits for the return. The buffer is the transport's and is
         * valid during the call only.
         */
        void onMessage(ByteBuffer message);

        /** The connection ended, for a reason or, when this end closed it, null; the last call. */
        void onClosed(Throwable cause);
    }
}
