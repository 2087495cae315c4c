/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import com.ibm.disni.verbs.IbvWC.IbvWcStatus;

/** Results of work requests, as infiniband/verbs.h numbers them. Stateless. */
final class WorkResult {
    static final int SUCCESS = 0;

    private static final int FLUSHED = 5;
    private static final int RETRIES_EXCEEDED = 12;

    private WorkResult() {}

    /** What a status means. */
    static String text(int status) {
        return switch (status) {
            case FLUSHED -> "the queue pair has been shut down";
            case RETRIES_EXCEEDED -> "the other end does not answer any more";
            default -> "a work request failed with status " + status + name(status);
        };
    }

    private static String name(int status) {
        IbvWcStatus[] known = IbvWcStatus.values();
        return status > 0 && status < known.length ? " (" + known[status] + ")" : "";
    }
}
