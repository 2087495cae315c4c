/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.FileInfo;

/**
 * The moved node.
 *
 * @param file the node
 * @param path where it is now
 * @param parentFd the id of its new parent
 * @param recordBlock the block of the new parent that holds the directory record of the node, or null if it is not enumerable
 * @param replacedFd the id of the node that was replaced, or 0
 */
public record MoveResponse(FileInfo file, CrailPath path, long parentFd, BlockInfo recordBlock, long replacedFd)
        implements Response {

    @Override
    public int encodedLength() {
        return Wire.FILE_LENGTH + Wire.pathLength(path) + 8 + Wire.blockLength(recordBlock) + 8;
    }

    @Override
    public void encode(ByteBuffer out) {
        Wire.putFile(out, file);
        Wire.putPath(out, path);
        out.putLong(parentFd);
        Wire.putBlock(out, recordBlock);
        out.putLong(replacedFd);
    }

    static MoveResponse decode(ByteBuffer in) throws CrailException {
        FileInfo file = Wire.getFile(in);
        CrailPath path = Wire.getPath(in);
        long parentFd = in.getLong();
        BlockInfo recordBlock = Wire.getBlock(in);
        long replacedFd = in.getLong();
        return new MoveResponse(file, path, parentFd, recordBlock, replacedFd);
    }
}
