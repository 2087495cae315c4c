/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.FileInfo;

/**
 * A node, with the write token in it if it was asked for.
 *
 * @param file the node
 * @param firstBlock its first block, or null if it has none
 */
public record LookupResponse(FileInfo file, BlockInfo firstBlock) implements Response {

    @Override
    public int encodedLength() {
        return Wire.FILE_LENGTH + Wire.blockLength(firstBlock);
    }

    @Override
    public void encode(ByteBuffer out) {
        Wire.putFile(out, file);
        Wire.putBlock(out, firstBlock);
    }

    static LookupResponse decode(ByteBuffer in) throws CrailException {
        FileInfo file = Wire.getFile(in);
        BlockInfo firstBlock = Wire.getBlock(in);
        return new LookupResponse(file, firstBlock);
    }
}
