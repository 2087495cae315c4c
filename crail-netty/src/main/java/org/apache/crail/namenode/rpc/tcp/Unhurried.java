/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import java.nio.ByteBuffer;
import org.apache.crail.rpc.message.Encodable;

/** A message that leaves with the next one, and whose answer nobody waits for. */
record Unhurried(Encodable message) implements Encodable {
    @Override
    public int encodedLength() {
        return message.encodedLength();
    }

    @Override
    public void encode(ByteBuffer out) {
        message.encode(out);
    }
}
