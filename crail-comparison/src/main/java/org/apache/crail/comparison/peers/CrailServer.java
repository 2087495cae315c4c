/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.peers;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.apache.crail.comparison.ServerProcess;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.namenode.Namenode;
import org.apache.crail.namenode.NamenodeOptions;
import org.apache.crail.storage.datanode.Datanode;

/**
 * A namenode or a datanode as a process of its own, configured by system properties alone. It ends when its standard
 * input does.
 */
public final class CrailServer {
    static final String NAMENODE = "namenode";
    static final String DATANODE = "datanode";

    private CrailServer() {}

    /** Runs what the one argument names. */
    public static void main(String[] args) throws Exception {
        CrailConfiguration configuration = CrailConfiguration.createDefaultConfiguration();
        switch (args[0]) {
            case NAMENODE -> runNamenode(configuration);
            case DATANODE -> runDatanode(configuration);
            default -> throw new IllegalArgumentException(args[0] + " is neither " + NAMENODE + " nor " + DATANODE);
        }
    }

    private static void runNamenode(CrailConfiguration configuration) throws Exception {
        try (Namenode namenode = Namenode.start(configuration, NamenodeOptions.anyPort())) {
            ServerProcess.tellReady(namenode.address());
            ServerProcess.awaitEndOfInput();
        }
    }

    private static void runDatanode(CrailConfiguration configuration) throws Exception {
        try (Datanode datanode = Datanode.start(configuration, null, -1, List.of())) {
            InetAddress host = InetAddress.getByName(datanode.info().host());
            ServerProcess.tellReady(new InetSocketAddress(host, datanode.info().getPort()));
            ServerProcess.awaitEndOfInput();
        }
    }
}
