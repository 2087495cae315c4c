/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import java.io.IOException;
import java.nio.ByteBuffer;

/** What a connection tells its owner, always on the thread of its completion loop. */
interface LinkEvents {
    /** A payload arrived; the buffer is valid during the call. */
    void onPayload(int ticket, ByteBuffer payload) throws IOException;

    /** The buffer of that payload can receive again, so the other end may be told that there is room. */
    void onReceiveReady(int ticket) throws IOException;

    /** The payload of this call has left, its buffer is free. */
    void onSent(int ticket) throws IOException;

    /** The connection ended, for a reason or, when this end wanted it, null; the last call. */
    void onEnd(Throwable cause);
}
