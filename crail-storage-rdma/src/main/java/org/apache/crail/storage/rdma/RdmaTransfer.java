/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import org.apache.crail.storage.device.DirectTransfer;

/** A read or write of memory of a datanode. Completed by one thread. */
final class RdmaTransfer extends DirectTransfer {
    /** Of the memory of the buffer, for the connection that the transfer goes over. */
    int localKey;

    /** What its work completion says, see {@link WorkStatus}. */
    int status;

    RdmaTransfer(Range range) {
        super(range);
    }

    /** How much of the send queue it takes: a write is followed by a read. */
    int workRequests() {
        return range().isWrite() ? 2 : 1;
    }

    /** Completes it, or fails, as its work completion says. */
    void finish() {
        if (status == WorkStatus.SUCCESS) {
            succeed();
        } else {
            fail(WorkStatus.code(status)
                    .exception(WorkStatus.explain(status) + "; ask the namenode for the location again"));
        }
    }
}
