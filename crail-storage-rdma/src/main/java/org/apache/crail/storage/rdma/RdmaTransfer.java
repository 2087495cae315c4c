/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import org.apache.crail.storage.direct.DirectTransfer;

/** A read or write of memory of a datanode. Completed by one thread. */
final class RdmaTransfer extends DirectTransfer {
    /** Of the memory of the buffer, for the connection that the transfer goes over. */
    int localKey;

    RdmaTransfer(Range range) {
        super(range);
    }

    /** How much of the send queue it takes: a write is followed by a read. */
    int workRequests() {
        return range().isWrite() ? 2 : 1;
    }
}
