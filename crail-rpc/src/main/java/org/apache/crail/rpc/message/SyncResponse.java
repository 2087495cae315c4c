/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;

/**
 * The capacity has been set.
 *
 * @param capacity what the node holds now
 */
public record SyncResponse(long capacity) implements Response {

    @Override
    public int encodedLength() {
        return 8;
    }

    @Override
    public void encode(ByteBuffer out) {
        out.putLong(capacity);
    }

    static SyncResponse decode(ByteBuffer in) {
        long capacity = in.getLong();
        return new SyncResponse(capacity);
    }
}
