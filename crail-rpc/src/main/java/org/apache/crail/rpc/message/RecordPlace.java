/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.BlockInfo;

/**
 * Where the directory record of a node is to be written.
 *
 * @param parentFd the id of the node's parent
 * @param slot the index of the record in the parent
 * @param block the block of the parent that holds the slot, or null if it cannot be reached now
 */
public record RecordPlace(long parentFd, int slot, BlockInfo block) {

    /** The length of a place that may be absent. */
    static int length(RecordPlace place) {
        return 1 + (place == null ? 0 : 8 + 4 + Wire.blockLength(place.block));
    }

    static void put(ByteBuffer out, RecordPlace place) {
        Wire.putFlag(out, place != null);
        if (place != null) {
            out.putLong(place.parentFd);
            out.putInt(place.slot);
            Wire.putBlock(out, place.block);
        }
    }

    static RecordPlace get(ByteBuffer in) throws CrailException {
        if (!Wire.getFlag(in)) {
            return null;
        }
        long parentFd = in.getLong();
        int slot = in.getInt();
        return new RecordPlace(parentFd, slot, Wire.getBlock(in));
    }
}
