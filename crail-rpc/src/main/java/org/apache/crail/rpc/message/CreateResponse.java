/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.FileInfo;

/**
 * The created node, with the write token in it.
 *
 * @param file the node
 * @param firstBlock the first block of a file or key-value, or null
 * @param isPlaced whether it has its place in the tree; if not, it gets it with the first sync that shows bytes, or
 *     with its close
 */
public record CreateResponse(FileInfo file, BlockInfo firstBlock, boolean isPlaced) implements Response {

    @Override
    public int encodedLength() {
        return Wire.FILE_LENGTH + Wire.blockLength(firstBlock) + 1;
    }

    @Override
    public void encode(ByteBuffer out) {
        Wire.putFile(out, file);
        Wire.putBlock(out, firstBlock);
        Wire.putFlag(out, isPlaced);
    }

    static CreateResponse decode(ByteBuffer in) throws CrailException {
        FileInfo file = Wire.getFile(in);
        BlockInfo firstBlock = Wire.getBlock(in);
        boolean isPlaced = Wire.getFlag(in);
        return new CreateResponse(file, firstBlock, isPlaced);
    }
}
