/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.server;

import org.apache.crail.internal.LastResort;
import org.apache.crail.namenode.Namenode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends the process of a namenode whose books may be wrong. Stateless. */
final class LastWords {
    /** As EX_SOFTWARE of sysexits.h. */
    static final int STATUS = 70;

    private static final Logger LOG = LoggerFactory.getLogger(LastWords.class);

    private LastWords() {}

    /** Has the process end when an Error comes out of a change of a namenode. */
    static void endInDoubt(Namenode namenode) {
        namenode.service().onDoubt(LastWords::end);
    }

    /** At once: whatever still ran would act on what may be wrong. */
    private static void end(Throwable reason) {
        LastResort.tell(
                error -> LOG.error(
                        "the namenode ends with status {}: a change failed half done ({}), and what it knows of nodes and"
                                + " blocks may be wrong; start it again, with an empty store",
                        STATUS,
                        error.toString(),
                        error),
                reason);
        Runtime.getRuntime().halt(STATUS);
    }
}
