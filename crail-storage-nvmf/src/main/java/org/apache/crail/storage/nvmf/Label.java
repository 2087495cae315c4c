/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.crail.CrailBuffer;
import org.apache.crail.error.CrailException;
import org.apache.crail.memory.OffHeapBuffer;

/**
 * What a datanode writes in the first sector of its range, to know its data again: a target that comes back with
 * another medium, or whose range somebody else has taken, has not this label. Not thread safe.
 */
final class Label {
    private static final long MAGIC = 0x435241494c4e564dL; // CRAILNVM
    private static final long LOOK_AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final SectorDevice device;
    private final BooleanSupplier isClosed;
    private final long sector;
    private final CrailBuffer buffer;
    private final int key;

    /**
     * Makes the label of a range.
     *
     * @param begin of the range, in bytes
     * @param isClosed whether the device is to be used no longer
     */
    Label(SectorDevice device, long begin, BooleanSupplier isClosed) throws IOException {
        this.device = device;
        this.isClosed = isClosed;
        this.sector = begin / device.sectorBytes();
        this.buffer = OffHeapBuffer.wrap(ByteBuffer.allocateDirect(device.sectorBytes()));
        this.key = device.key(buffer);
    }

    /** Writes the label. */
    void write(long incarnation, long timeoutMs) throws IOException {
        buffer.getByteBuffer().putLong(0, MAGIC).putLong(Long.BYTES, incarnation);
        execute(true, timeoutMs);
    }

    /** Whether the label is there. */
    boolean isThere(long incarnation, long timeoutMs) throws IOException {
        execute(false, timeoutMs);
        ByteBuffer bytes = buffer.getByteBuffer();
        return bytes.getLong(0) == MAGIC && bytes.getLong(Long.BYTES) == incarnation;
    }

    private void execute(boolean isWrite, long timeoutMs) throws IOException {
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        checkOpen();
        device.post(0, new SectorCommand(isWrite, sector, 1, buffer, 0, key, null));
        while (poll() == 0) {
            checkOpen();
            if (System.nanoTime() - deadlineNs > 0) {
                throw new IOException("a command was not answered within " + timeoutMs + " ms");
            }
            LockSupport.parkNanos(LOOK_AGAIN_NS);
        }
        CrailException failure = device.failure(0);
        if (failure != null) {
            throw failure;
        }
    }

    private void checkOpen() throws IOException {
        if (isClosed.getAsBoolean()) {
            throw new IOException("the connection has been closed");
        }
    }

    private int poll() throws IOException {
        try {
            return device.poll();
        } catch (IOException e) {
            throw new IOException("the connection broke (" + e.getMessage() + ")", e);
        }
    }
}
