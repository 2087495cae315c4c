/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.device;

import java.io.IOException;
import java.util.List;
import org.apache.crail.error.CrailException;
import org.apache.crail.local.block.LocalOffer;
import org.apache.crail.metadata.DataNodeInfo;

/**
 * The transfers of one connection, from its making to its end. Whatever ends it, the device touches no buffer any more
 * before a transfer fails. Thread safe.
 *
 * @param <T> transfers of the tier
 */
public interface DirectSession<T extends DirectTransfer> {
    /** Takes a transfer over; false if the session has ended. */
    boolean submit(T transfer);

    /**
     * Answers the transfers that are late and that the device does not touch any more, taken out of the session; if the
     * device has one of them, the session ends.
     */
    List<T> takeLate(long nowNs);

    /** Whether there was nothing to do since then. */
    boolean isIdleSince(long beforeNs);

    /** Whether there are transfers. */
    boolean isBusy();

    /** Whether it has ended. */
    boolean hasEnded();

    /**
     * The datanode's memory where it is on this host and may be used without the device, else null; does not change any
     * more.
     */
    default LocalOffer localMemory() {
        return null;
    }

    /** Ends the session if the other end has done so, or the device is gone. */
    void endIfDisconnected();

    /** Ends the connection, then fails all transfers. */
    void end(CrailException reason);

    /** What the keeper of a session wants to know. */
    interface Listener {
        /** The session ended; called before its transfers fail, without a lock of the session. */
        void onEnd(DirectSession<?> ended, CrailException reason);

        /** Makes the exception that says that the datanode cannot be reached. */
        CrailException unreachable(String why, Throwable cause);

        /** Makes the exception of transfers that end because another one on their connection was late. */
        CrailException endedByLate();
    }

    /**
     * Makes connections. Thread safe.
     *
     * @param <T> transfers of the tier
     */
    interface Maker<T extends DirectTransfer> {
        /** Connects; blocks, for no longer than its time limit. */
        DirectSession<T> connect(DataNodeInfo datanode, Listener listener) throws IOException;
    }
}
