/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives things back; if that fails, there is nothing left to be done about it. Stateless. */
final class Quietly {
    private static final Logger LOG = LoggerFactory.getLogger(Quietly.class);

    private Quietly() {}

    /** What gives something back. */
    interface Step {
        void run() throws IOException;
    }

    /** Runs a step; the next ones are to be tried all the same. */
    static void run(String what, Step step) {
        try {
            step.run();
        } catch (IOException | RuntimeException | Error e) { // jNVMf throws about anything here
            LOG.debug("{} failed", what, e);
        }
    }
}
