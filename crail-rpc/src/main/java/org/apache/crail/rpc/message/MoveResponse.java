/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.CrailPath;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.FileInfo;

/**
 * The moved node.
 *
 * @param file the node
 * @param path where it is now
 */
public record MoveResponse(FileInfo file, CrailPath path) implements Response {

    @Override
    public int encodedLength() {
        return Wire.FILE_LENGTH + Wire.pathLength(path);
    }

    @Override
    public void encode(ByteBuffer out) {
        Wire.putFile(out, file);
        Wire.putPath(out, path);
    }

    static MoveResponse decode(ByteBuffer in) throws CrailException {
        FileInfo file = Wire.getFile(in);
        CrailPath path = Wire.getPath(in);
        return new MoveResponse(file, path);
    }
}
