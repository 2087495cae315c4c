/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.apache.crail.CrailBuffer;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InternalErrorException;
import org.apache.crail.memory.OffHeapBuffer;

/** Memory for sectors of which a part is read or written, registered once. Guarded by the lock of the session. */
final class StagingSlots {
    private final CrailBuffer buffer;
    private final int key;
    private final int sectorBytes;
    private final ArrayDeque<Integer> free = new ArrayDeque<>();

    StagingSlots(SectorDevice device, int slots) throws CrailException {
        this.sectorBytes = device.sectorBytes();
        try {
            this.buffer = OffHeapBuffer.wrap(ByteBuffer.allocateDirect(slots * sectorBytes));
        } catch (IOException e) {
            throw new InternalErrorException("sectors cannot be staged: " + e.getMessage(), e);
        }
        this.key = device.key(buffer);
        for (int i = 0; i < slots; i++) {
            free.add(i * sectorBytes);
        }
    }

    CrailBuffer buffer() {
        return buffer;
    }

    boolean isEmpty() {
        return free.isEmpty();
    }

    /** Takes memory for a sector; its index in the buffer. */
    int take() {
        return free.remove();
    }

    void giveBack(int index) {
        free.push(index);
    }

    /** A command that moves one sector. */
    SectorCommand command(boolean isWrite, long sector, int index, SectorCommand.Work work) {
        return new SectorCommand(isWrite, sector, 1, buffer, index, key, work);
    }
}
