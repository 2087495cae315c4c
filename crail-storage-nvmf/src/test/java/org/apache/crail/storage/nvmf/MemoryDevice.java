/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.apache.crail.CrailBuffer;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.CrailException;

/** A namespace in memory, which several devices share. Commands complete in any order, when the device is polled. */
final class MemoryDevice implements SectorDevice {
    private static final int DEPTH = 7;
    private static final int MAX_SECTORS = 8;

    private final byte[] medium;
    private final int sectorBytes;
    private final Random random;
    private final List<Integer> posted = new ArrayList<>();
    private final SectorCommand[] commands = new SectorCommand[DEPTH];
    private final List<Integer> completed = new ArrayList<>();
    final List<SectorCommand> history = new ArrayList<>();
    volatile CrailException failure;
    volatile IOException pollFailure;
    volatile IOException breakage;
    volatile Error destroyFailure;
    volatile boolean silent;
    /** Whether keep-alives get no answer. */
    volatile boolean deaf;

    volatile boolean destroyed;
    volatile long destroyedNs;
    final long openedNs = System.nanoTime();
    volatile Runnable beforeKey = () -> {};
    int keepAlives;

    MemoryDevice(byte[] medium, int sectorBytes, long seed) {
        this.medium = medium;
        this.sectorBytes = sectorBytes;
        this.random = new Random(seed);
    }

    @Override
    public int sectorBytes() {
        return sectorBytes;
    }

    @Override
    public int maxTransferSectors() {
        return MAX_SECTORS;
    }

    @Override
    public int depth() {
        return DEPTH;
    }

    @Override
    public int key(CrailBuffer buffer) throws CrailException {
        beforeKey.run();
        if (destroyed) {
            throw new ClosedException("nothing is registered any more");
        }
        return 1;
    }

    @Override
    public synchronized void post(int slot, SectorCommand command) throws IOException {
        if (destroyed || commands[slot] != null || command.count() < 1 || command.count() > MAX_SECTORS) {
            throw new AssertionError("wrong command " + command + " in slot " + slot);
        }
        commands[slot] = command;
        posted.add(slot);
        history.add(command);
    }

    @Override
    public synchronized int poll() throws IOException {
        if (pollFailure != null) {
            throw pollFailure;
        }
        completed.clear();
        while (!silent && !posted.isEmpty() && random.nextInt(3) > 0) {
            int slot = posted.remove(random.nextInt(posted.size()));
            completed.add(slot);
            if (failure == null) {
                execute(commands[slot]);
            }
            commands[slot] = null;
        }
        return completed.size();
    }

    private void execute(SectorCommand command) {
        int at = (int) (command.sector() * sectorBytes);
        int length = command.count() * sectorBytes;
        ByteBuffer buffer = command.buffer().getByteBuffer().duplicate().clear();
        synchronized (medium) {
            if (command.isWrite()) {
                buffer.get(command.index(), medium, at, length);
            } else {
                buffer.put(command.index(), medium, at, length);
            }
        }
    }

    @Override
    public synchronized int slot(int index) {
        return completed.get(index);
    }

    @Override
    public CrailException failure(int index) {
        return failure;
    }

    @Override
    public IOException breakage() {
        return completed.isEmpty() ? null : breakage;
    }

    /** Without an answer it waits until the device is destroyed, as jNVMf does. */
    @Override
    public void keepAlive() throws IOException {
        while (deaf && !destroyed) {
            LockSupport.parkNanos(1_000_000);
        }
        synchronized (this) {
            keepAlives++;
            if (failure != null) {
                throw failure;
            }
        }
    }

    @Override
    public synchronized void destroy() {
        destroyedNs = System.nanoTime();
        destroyed = true;
        if (destroyFailure != null) {
            throw destroyFailure;
        }
    }

    synchronized List<SectorCommand> takeHistory() {
        List<SectorCommand> taken = List.copyOf(history);
        history.clear();
        return taken;
    }
}
