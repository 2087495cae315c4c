/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import com.ibm.darpc.DaRPCMessage;
import java.io.IOException;
import java.nio.ByteBuffer;

/** What DaRPC sends: the payload that it is given last. Not thread safe; whoever sends sets the payload first. */
final class VerbsMessage implements DaRPCMessage {
    private final int lengthBytes;
    private Payload payload;

    /** Makes a message of at most {@code lengthBytes}. */
    VerbsMessage(int lengthBytes) {
        this.lengthBytes = lengthBytes;
    }

    VerbsMessage with(Payload next) {
        payload = next;
        return this;
    }

    @Override
    public int write(ByteBuffer buffer) throws IOException {
        int start = buffer.position();
        payload.writeTo(buffer);
        int length = buffer.position() - start;
        buffer.clear();
        return length;
    }

    /** Never called: what arrives is read where it lies. */
    @Override
    public void update(ByteBuffer buffer) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int size() {
        return lengthBytes;
    }
}
