/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.transport;

import java.nio.ByteBuffer;
import java.util.concurrent.Future;
import org.apache.crail.rpc.message.Encodable;

/** One end of a connection that carries whole messages in order. All methods are thread safe. */
public interface RpcChannel extends AutoCloseable {
    /**
     * Sends a message, without waiting. The transport encodes it now or later, once; if the connection ends first the
     * message is dropped and the receiver told. Messages that are sent close together leave together.
     */
    void send(Encodable message);

    /**
     * As {@link #send}, by a thread that will call {@link #advance} next, or soon; if it does not, the answer may be noticed
     * a millisecond late.
     */
    default void sendAwaited(Encodable message) {
        send(message);
    }

    /**
     * As {@link #send}, without hurry: the message may wait for the next one, to leave together with it, but for no longer than some
     * milliseconds. Nobody is to wait for the answer. Messages of one thread stay in order.
     */
    default void sendWithNext(Encodable message) {
        send(message);
    }

    /**
     * Lets the thread that is going to wait do the transport's work meanwhile, so that no other has to be woken. Returns when
     * {@code awaited} is done, or at once, or any time in between; messages arrive without that as well. A thread that is
     * inside hears only answers to what it has sent itself, or to what anybody has sent without hurry.
     *
     * @param limitNs when to return at the latest; the transport may have a lower limit
     */
    default void advance(Future<?> awaited, long limitNs) {}

    /**
     * Takes what has come, if the transport's thread has just given the processor away, and that costs less than a call of the system; for a thread that waits for an
     * answer and looks for it again and again. The receiver may be told of what others have asked for, too; see {@link #follow}.
     */
    default void visit() {}

    /** Whether {@link #visit} may take something, at some time. */
    default boolean canBeVisited() {
        return false;
    }

    /**
     * Does what follows a message, for the receiver while it is told of one: here and now, or soon in the transport's own thread, if who tells the receiver only {@link #visit visits}
     * and must not run what is chained to what others have asked for.
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
         * A message arrived; who does the transport's work waits for the return, and may only {@link RpcChannel#visit visit}. The buffer is the transport's and is valid
         * during the call only.
         */
        void onMessage(ByteBuffer message);

        /** The connection ended, for a reason or, when this end closed it, null; the last call. */
        void onClosed(Throwable cause);
    }
}
