/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import org.apache.crail.CrailBuffer;
import org.apache.crail.error.CrailException;

/**
 * A read or write of consecutive sectors. Immutable.
 *
 * @param sector the first
 * @param count how many
 * @param buffer where the bytes go to or come from
 * @param index of the first one in the buffer
 * @param key of the buffer's memory
 * @param work whom it is for
 */
record SectorCommand(boolean isWrite, long sector, int count, CrailBuffer buffer, int index, int key, Work work) {

    /** What a command is a part of. Called with the lock of the session held. */
    interface Work {
        /** The command is about to be given to the device; answers whether anybody still wants it. */
        boolean begin(long nowNs);

        /**
         * It is over with the command.
         *
         * @param executed whether the device had it; otherwise nobody wanted it any more
         * @param failure or null if there was none
         */
        void end(boolean executed, CrailException failure);
    }
}
