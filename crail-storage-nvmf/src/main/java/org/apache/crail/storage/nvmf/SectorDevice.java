/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import java.io.IOException;
import org.apache.crail.CrailBuffer;
import org.apache.crail.error.CrailException;

/**
 * A connected namespace and a queue of commands to it. {@link #post} and {@link #poll} exclude each other, and nothing
 * is called after {@link #destroy}, which the caller sees to; {@link #key} and {@link #keepAlive} may be called by any
 * thread.
 */
interface SectorDevice {
    /** Size of a sector. */
    int sectorBytes();

    /** Most sectors of one command. */
    int maxTransferSectors();

    /** Most commands in flight. */
    int depth();

    /** What the device knows the memory of a buffer by; it is registered if it was not. */
    int key(CrailBuffer buffer) throws CrailException;

    /** The same for the buffer of a transfer, until that has ended. */
    default int key(NvmfTransfer transfer) throws CrailException {
        return key(transfer.range().buffer());
    }

    /** Hands a command to the device; its completion will carry {@code slot}. */
    void post(int slot, SectorCommand command) throws IOException;

    /** Takes what has completed; answers how many there are, to be asked for by index until the next call. */
    int poll() throws IOException;

    /** Which command completed. */
    int slot(int index);

    /** Why it failed, or null. */
    CrailException failure(int index);

    /** Why the device can complete nothing any more after what it has completed last, or null. */
    IOException breakage();

    /** Tells the target that somebody is there, and waits for its answer. */
    void keepAlive() throws IOException;

    /** Ends the connection; may take a while. When this returns the device touches no buffer any more. */
    void destroy();
}
