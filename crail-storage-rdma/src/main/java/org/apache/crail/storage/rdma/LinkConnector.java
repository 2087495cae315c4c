/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.crail.storage.device.DeviceLoop;

/** Makes connections to datanodes. Thread safe. */
interface LinkConnector {
    /** A connected queue, and the loop that takes its completions. */
    record Connection(WorkQueue queue, DeviceLoop loop) {}

    /**
     * Connects to the datanode at an address; blocks.
     *
     * @param deadlineNs when it gives up, by {@link System#nanoTime}
     */
    Connection connect(InetSocketAddress address, long deadlineNs) throws IOException;
}
