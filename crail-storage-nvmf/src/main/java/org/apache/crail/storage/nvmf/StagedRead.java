/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import org.apache.crail.error.CrailException;

/** Reads a sector of which a part is wanted. Guarded by the lock of the session. */
record StagedRead(ByteTransfers transfers, SectorPart part, int index) implements SectorCommand.Work {
    @Override
    public boolean begin(long nowNs) {
        if (transfers.isLate(part.transfer(), nowNs) || part.transfer().isDoomed()) {
            return false;
        }
        part.transfer().inFlight++;
        return true;
    }

    @Override
    public void end(boolean executed, CrailException failure) {
        if (executed) {
            part.transfer().inFlight--;
        }
        if (executed && failure == null && !part.transfer().isDoomed()) {
            part.copyFrom(transfers.staging().buffer(), index);
            transfers.countCopy();
        }
        transfers.unstage(index);
        transfers.partDone(part.transfer(), failure);
    }
}
