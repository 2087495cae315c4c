/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.metadata;

/**
 * What the namenode of Crail 1.x answered to a heartbeat. Here for programs that name the type; this release sends
 * none. Not thread safe.
 */
public class DataNodeStatus {
    /** Go on. */
    public static final short STATUS_DATANODE_RUNNING = 0;

    /** Stop: no block of this datanode is in use any more, and it has been asked to leave. */
    public static final short STATUS_DATANODE_STOP = 1;

    private short status = STATUS_DATANODE_RUNNING;

    /** Makes one that says "go on". */
    public DataNodeStatus() {}

    /** The status. */
    public short getStatus() {
        return status;
    }

    /** Sets the status. */
    public void setStatus(short status) {
        this.status = status;
    }
}
