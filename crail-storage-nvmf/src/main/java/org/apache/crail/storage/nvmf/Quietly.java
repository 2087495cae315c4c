/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives things back; if that fails, there is nothing left to be done about it. Stateless. */
final class Quietly {
    private static final Logger LOG = LoggerFactory.getLogger(Quietly.class);

    private Quietly() {}

    /** What gives something back. */
    interface Step {
        void run() throws Exception;
    }

    /** Runs a step; the next ones are to be tried all the same. */
    @SuppressWarnings("CatchingUnchecked") // jNVMf throws about anything here
    static void run(String what, Step step) {
        try {
            step.run();
        } catch (Exception e) {
            LOG.debug("{} failed", what, e);
        }
    }
}
