/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nothing is left of connections that have ended. On the verbs device that {@code LAB_ADDRESS} tells. */
@Tag("rdma")
class DaRPCLeakTest {
    private static final String HOST = System.getenv("LAB_ADDRESS");
    private static final int AT_ONCE = 10;
    private static final int WARM_UP_ROUNDS = 10;
    private static final int ROUNDS = 100;

    @Test
    @Timeout(value = 280)
    void shouldLeaveNothingBehindAfterThousandConnects() throws Exception {
        assumeTrue(HOST != null, "no verbs device: LAB_ADDRESS is not set");
        CrailConfiguration configuration = CrailConfiguration.createEmptyConfiguration();
        configuration.set(DaRPCKeys.RECV_QUEUE.name(), "4");
        DaRPCNameNode transport = new DaRPCNameNode();
        transport.init(configuration);
        DaRPCServer server = (DaRPCServer) transport.listen(new InetSocketAddress(HOST, 0), new EchoAcceptor(1));
        for (int i = 0; i < WARM_UP_ROUNDS; i++) {
            connectAndClose(transport, server);
        }
        Footprint before = quietFootprint(server);
        for (int i = 0; i < ROUNDS; i++) {
            connectAndClose(transport, server);
        }
        Footprint after = quietFootprint(server);
        assertThat(after.verbs()).isNotEmpty().hasSameSizeAs(before.verbs());
        for (int i = 0; i < after.verbs().size(); i++) {
            assertThat(after.verbs().get(i))
                    .as("objects of the device, from %s to %s", before, after)
                    .isLessThanOrEqualTo(before.verbs().get(i));
        }
        assertThat(after.descriptors()).isLessThanOrEqualTo(before.descriptors());
        assertThat(after.threads()).isLessThanOrEqualTo(before.threads() + 2); // the JVM's own come and go
        assertThat(after.residentKib() - before.residentKib())
                .as("growth in KiB, from %s to %s", before, after)
                .isLessThan(32 * 1024);
        transport.close();
        DarpcThreads.assertGone();
    }

    private static void connectAndClose(DaRPCNameNode transport, RpcServer server) throws Exception {
        List<RecordingReceiver> receivers = new ArrayList<>();
        List<CompletableFuture<RpcChannel>> futures = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            receivers.add(new RecordingReceiver());
            futures.add(transport.connect(server.address(), 20_000, receivers.get(i)));
        }
        for (int i = 0; i < AT_ONCE; i++) {
            RpcChannel channel = futures.get(i).get(30, TimeUnit.SECONDS);
            channel.send(new TestMessage(i, 8));
            assertThat(receivers.get(i).next()).hasSize(8);
            channel.close();
        }
        for (RecordingReceiver receiver : receivers) {
            receiver.awaitClosed();
        }
    }

    /** What is held when all that was closed is gone. */
    private static Footprint quietFootprint(DaRPCServer server) throws Exception {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("crail-darpc-client-")) {
                thread.join(30_000);
            }
        }
        server.awaitNoConnections();
        assertThat(server.connections()).isZero();
        return Footprint.now();
    }
}
