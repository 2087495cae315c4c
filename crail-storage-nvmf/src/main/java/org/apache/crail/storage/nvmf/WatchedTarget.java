/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import java.io.IOException;

/** A target as a datanode sees it. Used by one thread at a time; {@link #close} by any. */
interface WatchedTarget {
    /** Size of the namespace, asked for now. */
    NamespaceShape shape() throws IOException;

    /** Names the namespace, the same for everybody who reaches it. */
    String medium();

    /** Marks a range as that of a datanode. */
    void writeLabel(long begin, long incarnation) throws IOException;

    /** Whether a range is still that of a datanode. */
    boolean hasLabel(long begin, long incarnation) throws IOException;

    /** Tells the target that somebody is there. */
    void keepAlive() throws IOException;

    /** Ends the connection; calls that wait for the target fail. */
    void close();

    /** Connects to targets. */
    interface Opener {
        /** Connects; blocks, for no longer than its time limit. */
        WatchedTarget open(NvmfDatanodeSettings settings) throws IOException;
    }
}
