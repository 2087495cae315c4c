/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import java.io.IOException;
import org.apache.crail.error.CrailException;

/**
 * A connected queue pair and its completion queue. {@link #localKey} is thread safe; all else is for one thread at a
 * time, which the caller sees to.
 */
interface WorkQueue {
    /** The key of the memory of a buffer, which is registered if it was not. */
    int localKey(RdmaTransfer transfer) throws CrailException;

    /** Hands a transfer to the device; its completion will carry {@code slot}. */
    void post(int slot, RdmaTransfer transfer, int localKey) throws IOException;

    /** Takes what has completed; answers how many there are, to be asked for by index until the next call. */
    int poll() throws IOException;

    /** Which transfer completed. */
    int slot(int index);

    /** How it ended, see {@link WorkStatus}. */
    int status(int index);

    /** Asks the device for an event when something completes from now on. */
    void arm() throws IOException;

    /** Whether the datanode has ended the connection, or the device is gone. */
    boolean isDisconnected();

    /** Ends the connection. When this returns the device touches no buffer any more. */
    void destroy();

    /** Gives back what is left; nothing may be called afterwards. */
    void release();
}
