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
 * @param parentFd the id of its parent
 * @param recordBlock the block of the parent that holds the directory record of the node, or null if it is not enumerable
 * @param replacedFd the id of the node that was replaced, or 0
 */
public record CreateResponse(FileInfo file, BlockInfo firstBlock, long parentFd, BlockInfo recordBlock, long replacedFd)
        implements Response {

    @Override
    public int encodedLength() {
        return Wire.FILE_LENGTH + Wire.blockLength(firstBlock) + 8 + Wire.blockLength(recordBlock) + 8;
    }

    @Override
    public void encode(ByteBuffer out) {
        Wire.putFile(out, file);
        Wire.putBlock(out, firstBlock);
        out.putLong(parentFd);
        Wire.putBlock(out, recordBlock);
        out.putLong(replacedFd);
    }

    static CreateResponse decode(ByteBuffer in) throws CrailException {
        FileInfo file = Wire.getFile(in);
        BlockInfo firstBlock = Wire.getBlock(in);
        long parentFd = in.getLong();
        BlockInfo recordBlock = Wire.getBlock(in);
        return new CreateResponse(file, firstBlock, parentFd, recordBlock, in.getLong());
    }
}
