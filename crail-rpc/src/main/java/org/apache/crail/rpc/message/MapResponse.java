/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.BlockInfo;

/**
 * Consecutive blocks.
 *
 * @param layout the version of the node's blocks, see {@link org.apache.crail.metadata.FileInfo#layout}
 * @param blocks at least one
 */
public record MapResponse(long layout, List<BlockInfo> blocks) implements Response {

    /** What one block adds to the length of an answer. */
    public static int encodedLength(BlockInfo block) {
        return Wire.blockLength(block);
    }

    @Override
    public int encodedLength() {
        int length = 8 + 4;
        for (BlockInfo element : blocks) {
            length += Wire.blockLength(element);
        }
        return length;
    }

    @Override
    public void encode(ByteBuffer out) {
        out.putLong(layout);
        out.putInt(blocks.size());
        for (BlockInfo element : blocks) {
            Wire.putBlock(out, element);
        }
    }

    static MapResponse decode(ByteBuffer in) throws CrailException {
        long layout = in.getLong();
        return new MapResponse(layout, Wire.getList(in, Wire::getBlock));
    }
}
