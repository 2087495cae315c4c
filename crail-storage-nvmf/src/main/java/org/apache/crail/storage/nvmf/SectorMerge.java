/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import java.util.ArrayList;
import java.util.List;
import org.apache.crail.error.CrailException;

/**
 * Writes of parts of one sector: the sector is read, all parts that have come meanwhile are copied into it in the order
 * of their arrival, and it is written; and so on until no part is left. What is staged is forgotten then, so it is
 * never older than what the target has. Guarded by the lock of the session.
 */
final class SectorMerge implements SectorCommand.Work {
    private final Host host;
    private final long sector;
    private final int index;
    private List<SectorPart> waiting = new ArrayList<>();
    private List<SectorPart> written = List.of();
    private List<SectorPart> riding = List.of();
    private boolean isLoaded;

    /** Where merges belong. */
    interface Host {
        StagingSlots staging();

        void enqueue(SectorCommand command);

        void countCopy();

        /** A part of a transfer is done. */
        void partDone(NvmfTransfer transfer, CrailException failure);

        /** Whether a transfer is late; notes it if so. */
        boolean isLate(NvmfTransfer transfer, long nowNs);

        /** Nothing is left to be merged. */
        void mergeDone(long sector, int index);
    }

    SectorMerge(Host host, long sector, int index) {
        this.host = host;
        this.sector = sector;
        this.index = index;
    }

    void add(SectorPart part) {
        waiting.add(part);
    }

    /** Reads the sector. */
    void start() {
        host.enqueue(host.staging().command(false, sector, index, this));
    }

    @Override
    public boolean begin(long nowNs) {
        List<SectorPart> all = isLoaded ? written : waiting;
        boolean wanted = false;
        for (SectorPart part : all) {
            wanted |= !host.isLate(part.transfer(), nowNs) && !part.transfer().isDoomed();
        }
        if (wanted) {
            riding = List.copyOf(all);
            riding.forEach(part -> part.transfer().inFlight++);
        }
        return wanted;
    }

    @Override
    public void end(boolean executed, CrailException failure) {
        riding.forEach(part -> part.transfer().inFlight--);
        riding = List.of();
        boolean done = executed && failure == null;
        List<SectorPart> over = isLoaded ? written : done ? List.of() : takeWaiting();
        written = List.of();
        isLoaded = done; // otherwise what is staged may not be what the target has
        over.forEach(part -> host.partDone(part.transfer(), failure));
        proceed();
    }

    private void proceed() {
        if (waiting.isEmpty()) {
            host.mergeDone(sector, index);
        } else if (!isLoaded) {
            start();
        } else {
            written = takeWaiting();
            for (SectorPart part : written) {
                if (!part.transfer().isDoomed()) {
                    part.copyTo(host.staging().buffer(), index);
                    host.countCopy();
                }
            }
            host.enqueue(host.staging().command(true, sector, index, this));
        }
    }

    private List<SectorPart> takeWaiting() {
        List<SectorPart> taken = waiting;
        waiting = new ArrayList<>();
        return taken;
    }
}
