/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.namenode.rpc.tcp.TcpNameNode;
import org.apache.crail.rpc.client.NamenodeConnection;
import org.apache.crail.rpc.message.LookupRequest;
import org.apache.crail.rpc.server.MetadataAcceptor;
import org.apache.crail.rpc.transport.RpcServer;

/** Lookups of a namenode over TCP, one at a time, in turns of so many. Used by one thread. */
final class ServedLookups implements AutoCloseable {
    private static final int LOOKUPS_OF_A_TURN = 2_000;
    private static final double NS_PER_US = 1e3;
    private static final int LIMIT_S = 30;

    private final TcpNameNode transport = new TcpNameNode();
    private final NamenodeConnection connection;
    private int visited;

    /** Serves the namenode on a port of the loopback interface, and connects. */
    ServedLookups(LocalNamenode namenode) throws Exception {
        CrailConfiguration configuration = CrailConfiguration.createEmptyConfiguration();
        configuration.set("crail.unixsockets", "false");
        transport.init(configuration);
        RpcServer server = transport.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), new MetadataAcceptor(namenode.service()));
        connection = NamenodeConnection.of(transport, server::address, configuration);
        Object ignored = connection.connect().get(LIMIT_S, TimeUnit.SECONDS);
    }

    /** Goes on through these lookups; answers the median of their times in us. */
    double medianUs(LookupRequest[] lookups) throws Exception {
        List<Double> times = new ArrayList<>();
        for (int i = 0; i < LOOKUPS_OF_A_TURN; i++) {
            LookupRequest lookup = lookups[visited++ % lookups.length];
            long begin = System.nanoTime();
            long fd = connection
                    .call(lookup)
                    .get(LIMIT_S, TimeUnit.SECONDS)
                    .file()
                    .getFd();
            times.add((System.nanoTime() - begin) / NS_PER_US);
            if (fd <= 0) {
                throw new IllegalStateException("node " + fd + " was found for " + lookup);
            }
        }
        return Spread.of(times).median();
    }

    @Override
    public void close() {
        connection.close();
        transport.close();
    }
}
