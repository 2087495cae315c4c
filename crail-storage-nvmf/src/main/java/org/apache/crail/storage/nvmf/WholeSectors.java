/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import org.apache.crail.error.CrailException;

/** A part of a transfer that goes straight between the device and the buffer. Guarded by the lock of the session. */
record WholeSectors(ByteTransfers transfers, NvmfTransfer transfer) implements SectorCommand.Work {
    @Override
    public boolean begin(long nowNs) {
        if (transfers.isLate(transfer, nowNs) || transfer.isDoomed()) {
            return false;
        }
        transfer.inFlight++;
        return true;
    }

    @Override
    public void end(boolean executed, CrailException failure) {
        if (executed) {
            transfer.inFlight--;
        }
        transfers.partDone(transfer, failure);
    }
}
