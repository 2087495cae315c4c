/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import java.io.IOException;
import java.nio.ByteBuffer;

/** What a call carries in one direction. */
interface Payload {
    /** Length in bytes of what is in front of the stream: backlog or acknowledgement, int32. */
    int HEADER_BYTES = Integer.BYTES;

    /** The smallest payload that every end can receive, so that greetings need no agreement. */
    int SMALLEST_BYTES = 256;

    /** Writes the payload at the buffer's position; called once, during the send, by the sending thread. */
    void writeTo(ByteBuffer out) throws IOException;
}
