/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.CrailException;
import org.apache.crail.namenode.Namenode;
import org.apache.crail.namenode.NamenodeOptions;
import org.apache.crail.rpc.message.PingRequest;
import org.apache.crail.rpc.server.MetadataAcceptor;
import org.apache.crail.rpc.transport.RpcServer;
import org.apache.crail.rpc.transport.RpcTransport;
import org.apache.crail.testkit.Await;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.servers.DatanodeOptions;
import org.apache.crail.testkit.servers.LocalServers;
import org.apache.crail.testkit.servers.ServerPlace;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/**
 * The last one to run: the other host is gone then. On that host there is also an idle client of a namenode and a
 * datanode in this process. The namenode has one place for connections; the place is free again some time after the
 * host was lost, and neither of them has a queue pair of that client any more.
 */
@Tag("rdma")
@Tag("two-hosts")
@Order(Integer.MAX_VALUE)
@Timeout(600)
final class RdmaHostLossTest extends HostLossSuite {
    private static final long GREETING_LIMIT_MS = 5_000;
    private static final long IDLE_MS = 20_000;
    private static final Duration FREE_LIMIT = Duration.ofMinutes(2);
    private static final int BLOCKS = 4;
    private static final Pattern QUEUE_PAIR = Pattern.compile("link (\\S+) lqpn (\\d+) .*type RC ");

    private final LocalServers datanodes = new LocalServers(ServerPlace.testHost());
    private final Set<String> ofIdleClient = new HashSet<>();
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
        startDatanode(configuration.copy());
        configuration.set("crail.namenode.darpc.clustersize", "1");
        transport = RpcTransport.createInstance(configuration.get(CrailKeys.NAMENODE_RPC_TYPE), configuration);
        RpcServer server = transport.listen(
                new InetSocketAddress(ServerPlace.testHost(), 0),
                new MetadataAcceptor(namenode.service(), GREETING_LIMIT_MS, IDLE_MS));
        address = server.address();
        configuration.set(
                CrailKeys.NAMENODE_ADDRESS.name(), "crail://" + ServerPlace.testHost() + ":" + address.getPort());

        Set<String> before = queuePairs();
        cluster.openClientThere(configuration);
        ofIdleClient.addAll(queuePairs());
        ofIdleClient.removeAll(before);

        assertThat(ofIdleClient).as("queue pairs of namenode and datanode").hasSize(2);
        assertThatThrownBy(this::ping).isInstanceOf(CrailException.class); // the only place is taken
    }

    /** It registers with the namenode at its own address, where there are more places. */
    private void startDatanode(CrailConfiguration configuration) throws Exception {
        String bytes = Integer.toString(BLOCKS * BLOCK);
        configuration.set(
                CrailKeys.NAMENODE_ADDRESS.name(),
                "crail://" + ServerPlace.testHost() + ":" + namenode.address().getPort());
        configuration.set("crail.storage.rdma.storagelimit", bytes);
        configuration.set("crail.storage.rdma.allocationsize", bytes);
        String tier = configuration.get(CrailKeys.STORAGE_TYPES).get(0);
        datanodes.startDatanode(0, configuration, new DatanodeOptions(tier, 0, List.of()));
    }

    /** Those of connections on this host, as {@code rdma resource show qp} tells them. */
    private static Set<String> queuePairs() throws IOException, InterruptedException {
        Process rdma = new ProcessBuilder("rdma", "resource", "show", "qp").start();
        String text = new String(rdma.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(rdma.waitFor()).isZero();
        return QUEUE_PAIR
                .matcher(text)
                .results()
                .map(found -> found.group(1) + " " + found.group(2))
                .collect(Collectors.toSet());
    }

    @Override
    protected void afterLoss() throws Exception {
        Await.until(
                "no queue pair of the idle client is left of " + ofIdleClient,
                FREE_LIMIT,
                () -> Collections.disjoint(queuePairs(), ofIdleClient));
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
        MiniCluster.call(new PingRequest(1), address, cluster.configuration());
    }

    @AfterEach
    void closeServers() {
        datanodes.close();
        if (transport != null) {
            transport.close();
        }
        if (namenode != null) {
            namenode.close();
        }
    }
}
