/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.CrailException;
import org.apache.crail.namenode.Namenode;
import org.apache.crail.namenode.NamenodeOptions;
import org.apache.crail.rpc.client.NamenodeConnection;
import org.apache.crail.rpc.message.PingRequest;
import org.apache.crail.rpc.server.MetadataAcceptor;
import org.apache.crail.rpc.transport.RpcServer;
import org.apache.crail.rpc.transport.RpcTransport;
import org.apache.crail.testkit.Await;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.servers.ServerPlace;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;

/**
 * The last one to run: the other host is gone then. On that host there is also an idle client of a namenode in this process,
 * which has one place for connections; the place is free again some time after the host was lost.
 */
@Tag("rdma")
@Tag("two-hosts")
@Order(Integer.MAX_VALUE)
final class RdmaHostLossTest extends HostLossSuite {
    private static final long GREETING_LIMIT_MS = 5_000;
    private static final long IDLE_MS = 20_000;
    private static final Duration FREE_LIMIT = Duration.ofMinutes(2);

    private Namenode namenode;
    private RpcTransport transport;
    private InetSocketAddress address;

    @Override
    protected ClusterKind kind() {
        return ClusterKind.RDMA;
    }

    @Override
    protected void beforeLoss() throws Exception {
        CrailConfiguration configuration = cluster.configuration();
        configuration.set(CrailKeys.NAMENODE_ADDRESS.name(), "crail://" + ServerPlace.testHost() + ":0");
        namenode = Namenode.start(configuration, NamenodeOptions.none());
        configuration.set("crail.namenode.darpc.clustersize", "1");
        transport = RpcTransport.createInstance(configuration.get(CrailKeys.NAMENODE_RPC_TYPE), configuration);
        RpcServer server = transport.listen(
                new InetSocketAddress(ServerPlace.testHost(), 0),
                new MetadataAcceptor(namenode.service(), GREETING_LIMIT_MS, IDLE_MS));
        address = server.address();
        configuration.set(
                CrailKeys.NAMENODE_ADDRESS.name(), "crail://" + ServerPlace.testHost() + ":" + address.getPort());

        cluster.openClientThere(configuration);

        assertThatThrownBy(this::ping).isInstanceOf(CrailException.class); // the only place is taken
    }

    @Override
    protected void afterLoss() throws Exception {
        Await.until("the place of the idle client is free", FREE_LIMIT, () -> {
            try {
                ping();
                return true;
            } catch (CrailException e) {
                return false;
            }
        });
    }

    private void ping() throws Exception {
        CrailConfiguration configuration = cluster.configuration();
        try (RpcTransport own =
                        RpcTransport.createInstance(configuration.get(CrailKeys.NAMENODE_RPC_TYPE), configuration);
                NamenodeConnection connection = NamenodeConnection.of(own, () -> address, configuration)) {
            connection.call(new PingRequest(1)).get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof CrailException failure ? failure : e;
        }
    }

    @AfterEach
    void closeNamenode() {
        if (transport != null) {
            transport.close();
        }
        if (namenode != null) {
            namenode.close();
        }
    }
}
