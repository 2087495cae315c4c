/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.crail.error.CrailException;

/**
 * Makes commands of transfers: whole sectors go straight between the device and the buffer, parts of sectors by way of
 * staged ones. Writes that touch the same sector are done one after the other, in the order in which they came, or
 * merged. Guarded by the lock of the session.
 */
final class ByteTransfers implements SectorMerge.Host {
    private final SectorDevice device;
    private final NvmfCounters counters;
    private final StagingSlots staging;
    private final int sectorBytes;
    private final ArrayDeque<SectorCommand> commands = new ArrayDeque<>();
    private final ArrayDeque<SectorPart> unstaged = new ArrayDeque<>();
    private final Map<Long, SectorMerge> merges = new HashMap<>();
    private final List<NvmfTransfer> live = new ArrayList<>();
    private final List<NvmfTransfer> over = new ArrayList<>();

    ByteTransfers(SectorDevice device, int stagedSectors, NvmfCounters counters) throws CrailException {
        this.device = device;
        this.counters = counters;
        this.staging = new StagingSlots(device, stagedSectors);
        this.sectorBytes = device.sectorBytes();
    }

    /** The transfers that are not over. */
    List<NvmfTransfer> live() {
        return live;
    }

    /** The next command, or null. */
    SectorCommand next() {
        return commands.poll();
    }

    /** Those that are over since the last call. */
    List<NvmfTransfer> takeOver() {
        if (over.isEmpty()) {
            return List.of();
        }
        List<NvmfTransfer> taken = List.copyOf(over);
        over.clear();
        return taken;
    }

    /** Begins a transfer, now or when the writes before it are over. */
    void add(NvmfTransfer transfer) {
        if (transfer.range().isWrite()) {
            for (NvmfTransfer other : live) {
                if (other.range().isWrite() && other.conflicts(transfer, sectorBytes)) {
                    other.block(transfer);
                }
            }
        }
        live.add(transfer);
        if (transfer.blockers == 0) {
            begin(transfer);
        }
    }

    private void begin(NvmfTransfer transfer) {
        transfer.pending = 1; // not over before all parts are there
        long position = transfer.begin();
        int index = transfer.range().start();
        while (position < transfer.end()) {
            long left = transfer.end() - position;
            int offset = (int) (position % sectorBytes);
            int length;
            if (offset > 0 || left < sectorBytes) {
                length = (int) Math.min(sectorBytes - offset, left);
                transfer.pending++;
                stage(new SectorPart(transfer, position / sectorBytes, offset, index, length));
            } else {
                int count = (int) Math.min(left / sectorBytes, device.maxTransferSectors());
                length = count * sectorBytes;
                transfer.pending++;
                enqueue(new SectorCommand(
                        transfer.range().isWrite(),
                        position / sectorBytes,
                        count,
                        transfer.range().buffer(),
                        index,
                        transfer.key,
                        new WholeSectors(this, transfer)));
            }
            position += length;
            index += length;
        }
        partDone(transfer, null);
    }

    private void stage(SectorPart part) {
        if (!unstaged.isEmpty() || !tryStage(part)) {
            unstaged.add(part);
        }
    }

    private boolean tryStage(SectorPart part) {
        boolean isWrite = part.transfer().range().isWrite();
        SectorMerge merge = isWrite ? merges.get(part.sector()) : null;
        if (merge != null) {
            merge.add(part);
            return true;
        }
        if (staging.isEmpty()) {
            return false;
        }
        int index = staging.take();
        if (isWrite) {
            SectorMerge begun = new SectorMerge(this, part.sector(), index);
            merges.put(part.sector(), begun);
            begun.add(part);
            begun.start();
        } else {
            enqueue(staging.command(false, part.sector(), index, new StagedRead(this, part, index)));
        }
        return true;
    }

    @Override
    public StagingSlots staging() {
        return staging;
    }

    @Override
    public void enqueue(SectorCommand command) {
        commands.add(command);
    }

    @Override
    public void countCopy() {
        counters.countCopy();
    }

    @Override
    public boolean isLate(NvmfTransfer transfer, long nowNs) {
        transfer.late |= transfer.isLate(nowNs);
        return transfer.late;
    }

    @Override
    public void partDone(NvmfTransfer transfer, CrailException failure) {
        if (transfer.failure == null) {
            transfer.failure = failure;
        }
        if (--transfer.pending == 0) {
            remove(transfer);
        }
    }

    @Override
    public void mergeDone(long sector, int index) {
        merges.remove(sector);
        unstage(index);
    }

    /** Gives memory back, which others may wait for. */
    void unstage(int index) {
        staging.giveBack(index);
        while (!unstaged.isEmpty() && tryStage(unstaged.peek())) {
            unstaged.remove();
        }
    }

    /** Takes a transfer out of which the device has nothing. */
    void remove(NvmfTransfer transfer) {
        if (live.remove(transfer)) {
            over.add(transfer);
            for (NvmfTransfer successor : transfer.unblocked()) {
                begin(successor);
            }
        }
    }
}
