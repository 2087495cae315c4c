/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import java.io.IOException;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.storage.direct.CompletionLoop;

/** Makes connections to datanodes. Thread safe. */
interface LinkConnector {
    /** A connected queue, and the loop that takes its completions. */
    record Connection(WorkQueue queue, CompletionLoop loop) {}

    /** Connects; blocks, for no longer than its time limit. */
    Connection connect(DataNodeInfo datanode) throws IOException;
}
