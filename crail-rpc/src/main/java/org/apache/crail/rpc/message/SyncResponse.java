/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.error.CrailException;

/**
 * The capacity has been set.
 *
 * @param capacity what the node holds now
 * @param layout the version of its blocks that the capacity belongs to
 * @param record where its directory record is to be written, or null unless it has just got its place in the tree and
 *     is enumerable
 */
public record SyncResponse(long capacity, long layout, RecordPlace record) implements Response {

    @Override
    public int encodedLength() {
        return 8 + 8 + RecordPlace.length(record);
    }

    @Override
    public void encode(ByteBuffer out) {
        out.putLong(capacity);
        out.putLong(layout);
        RecordPlace.put(out, record);
    }

    static SyncResponse decode(ByteBuffer in) throws CrailException {
        long capacity = in.getLong();
        long layout = in.getLong();
        return new SyncResponse(capacity, layout, RecordPlace.get(in));
    }
}
