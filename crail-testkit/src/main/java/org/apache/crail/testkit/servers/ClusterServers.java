/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.servers;

import java.net.InetSocketAddress;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.CrailException;
import org.apache.crail.rpc.message.CheckResponse;

/**
 * Starts and ends the namenode and the datanodes of one cluster, wherever they run. Closing ends all that still run.
 * Used by one thread at a time.
 */
public interface ClusterServers extends AutoCloseable {
    /** The name or address under which the servers' host is reached, and which its namenode binds. */
    String host();

    /** Starts the namenode; answers the address that it listens on. */
    InetSocketAddress startNamenode(CrailConfiguration configuration) throws CrailException;

    /** Has the namenode count its blocks, without a connection of the kind that is under test. */
    CheckResponse check() throws CrailException;

    /** Ends the namenode, whose state is lost with it. */
    void stopNamenode() throws CrailException;

    /**
     * Starts a datanode; returns when it has registered.
     *
     * @param number what {@link #stopDatanode} will call it
     */
    StartedDatanode startDatanode(int number, CrailConfiguration configuration, DatanodeOptions options)
            throws CrailException;

    /** Ends a datanode, which says goodbye to the namenode; its blocks are lost with it. */
    void stopDatanode(int number) throws CrailException;

    /** Ends a datanode as if it were killed: the namenode learns nothing; its blocks are lost with it. */
    void killDatanode(int number) throws CrailException;

    /**
     * Opens a store where the servers are, which writes one file and does nothing after that, until their process ends.
     */
    default void openClient(CrailConfiguration configuration) throws CrailException {
        throw new UnsupportedOperationException("the servers run in the process of the test");
    }

    /** Ends the servers' host, or their process if they have one of their own, without any goodbye. */
    default void killHost() throws CrailException {
        throw new UnsupportedOperationException("the servers run in the process of the test");
    }

    @Override
    void close();
}
