/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import java.nio.ByteBuffer;
import org.apache.crail.rpc.message.Encodable;

/** A number and filling, so that order and length can be checked. Immutable. */
record TestMessage(long number, int length) implements Encodable {
    @Override
    public int encodedLength() {
        return length;
    }

    @Override
    public void encode(ByteBuffer out) {
        int end = out.position() + length;
        out.putLong(number);
        while (out.position() < end) {
            out.put((byte) number);
        }
    }
}
