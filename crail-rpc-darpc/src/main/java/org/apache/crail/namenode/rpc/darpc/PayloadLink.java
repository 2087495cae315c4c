/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import java.io.IOException;

/**
 * Sends payloads to the other end of a connection, whatever carries them. Methods are thread safe unless they say
 * otherwise.
 */
interface PayloadLink {
    /**
     * Sends a payload, without waiting. Callers exclude each other.
     *
     * @param ticket which call it belongs to
     * @return false if all send buffers are in use; nothing has been sent then
     */
    boolean send(int ticket, Payload payload) throws IOException;

    /**
     * Ends the connection; its events end with {@link LinkEvents#onEnd} and the first cause that was given, or null.
     */
    void end(Throwable cause);

    /** The other end, for messages. */
    String peer();
}
