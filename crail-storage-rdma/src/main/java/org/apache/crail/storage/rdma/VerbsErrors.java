/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Failures while giving things back, after which nothing is left to be done. Stateless. */
final class VerbsErrors {
    private static final Logger LOG = LoggerFactory.getLogger(VerbsErrors.class);

    private VerbsErrors() {}

    /** What gives something back. */
    interface Step {
        void run() throws Exception;
    }

    /** Runs a step of giving things back; if it fails, the next ones are tried all the same. */
    @SuppressWarnings("CatchingUnchecked") // DiSNI declares, and throws, about anything here
    static void quietly(String what, Step step) {
        try {
            step.run();
        } catch (Exception e) {
            ignore(what, e);
        }
    }

    static void ignore(String what, Exception failure) {
        LOG.debug("{} failed", what, failure);
    }

    /** The message of a failure, without line ends. */
    static String text(IOException failure) {
        return String.valueOf(failure.getMessage()).strip();
    }
}
