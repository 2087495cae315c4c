/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.message;

import java.nio.ByteBuffer;

/**
 * A range of memory or flash that a datanode offers.
 *
 * @param lba offset in bytes within all that the datanode offers, a multiple of the block size
 * @param address tier specific, as in a block
 * @param length in bytes; what exceeds a multiple of the block size is not used
 * @param key tier specific name of the region
 */
public record Region(long lba, long address, long length, int key) implements Encodable {

    @Override
    public int encodedLength() {
        return 8 + 8 + 8 + 4;
    }

    @Override
    public void encode(ByteBuffer out) {
        out.putLong(lba);
        out.putLong(address);
        out.putLong(length);
        out.putInt(key);
    }

    static Region decode(ByteBuffer in) {
        long lba = in.getLong();
        long address = in.getLong();
        long length = in.getLong();
        int key = in.getInt();
        return new Region(lba, address, length, key);
    }
}
