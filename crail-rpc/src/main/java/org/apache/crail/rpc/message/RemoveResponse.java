/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.FileInfo;

/**
 * The node as it was when it was removed.
 *
 * @param file the node
 * @param parentFd the id of its former parent
 */
public record RemoveResponse(FileInfo file, long parentFd) implements Response {

    @Override
    public int encodedLength() {
        return Wire.FILE_LENGTH + 8;
    }

    @Override
    public void encode(ByteBuffer out) {
        Wire.putFile(out, file);
        out.putLong(parentFd);
    }

    static RemoveResponse decode(ByteBuffer in) throws CrailException {
        FileInfo file = Wire.getFile(in);
        long parentFd = in.getLong();
        return new RemoveResponse(file, parentFd);
    }
}
