/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import java.nio.ByteBuffer;
import org.apache.crail.CrailBuffer;

/**
 * The part of a transfer that lies in one sector and does not fill it. Immutable.
 *
 * @param offset in the sector
 * @param index in the transfer's buffer
 */
record SectorPart(NvmfTransfer transfer, long sector, int offset, int index, int length) {

    /** Copies from a staged sector to the buffer. */
    void copyFrom(CrailBuffer staging, int stagingIndex) {
        copy(staging, stagingIndex + offset, transfer.range().buffer(), index, length);
    }

    /** Copies from the buffer to a staged sector. */
    void copyTo(CrailBuffer staging, int stagingIndex) {
        copy(transfer.range().buffer(), index, staging, stagingIndex + offset, length);
    }

    private static void copy(CrailBuffer from, int fromIndex, CrailBuffer to, int toIndex, int length) {
        ByteBuffer target = bytes(to);
        target.put(toIndex, bytes(from), fromIndex, length);
    }

    /** Without touching position and limit, which may be beyond the part by now. */
    private static ByteBuffer bytes(CrailBuffer buffer) {
        return buffer.getByteBuffer().duplicate().clear();
    }
}
