/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;

/**
 * The capacity has been set.
 *
 * @param capacity what the node holds now
 * @param layout the version of its blocks that the capacity belongs to
 */
public record SyncResponse(long capacity, long layout) implements Response {

    @Override
    public int encodedLength() {
        return 8 + 8;
    }

    @Override
    public void encode(ByteBuffer out) {
        out.putLong(capacity);
        out.putLong(layout);
    }

    static SyncResponse decode(ByteBuffer in) {
        long capacity = in.getLong();
        long layout = in.getLong();
        return new SyncResponse(capacity, layout);
    }
}
