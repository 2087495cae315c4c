/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.FileInfo;

/**
 * A child of a container.
 *
 * @param name its name
 * @param file what it is
 */
public record Child(String name, FileInfo file) implements Encodable {

    @Override
    public int encodedLength() {
        return Wire.textLength(name) + Wire.FILE_LENGTH;
    }

    @Override
    public void encode(ByteBuffer out) {
        Wire.putText(out, name);
        Wire.putFile(out, file);
    }

    static Child decode(ByteBuffer in) throws CrailException {
        String name = Wire.getText(in);
        FileInfo file = Wire.getFile(in);
        return new Child(name, file);
    }
}
