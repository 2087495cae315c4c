/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.rpc.transport.RpcChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** D13: an end whose process is killed is noticed. On the verbs device that {@code LAB_ADDRESS} tells. */
@Tag("rdma")
class DaRPCProcessFaultTest {
    private static final int MIBI = 1 << 20;
    private static final String HOST = System.getenv("LAB_ADDRESS");

    private final DaRPCNameNode transport = new DaRPCNameNode();

    @BeforeEach
    void requireDevice() throws Exception {
        assumeTrue(HOST != null, "no verbs device: LAB_ADDRESS is not set");
        transport.init(CrailConfiguration.createEmptyConfiguration());
    }

    @AfterEach
    void closeTransport() throws Exception {
        transport.close();
        DarpcThreads.assertGone();
    }

    @Test
    void shouldEndAConnectionWhoseServerIsKilledWithCallsInFlight() throws Exception {
        try (EchoProcess process = EchoProcess.server(HOST)) {
            InetSocketAddress address = new InetSocketAddress(HOST, Integer.parseInt(process.awaitReady()));
            RecordingReceiver receiver = new RecordingReceiver();
            RpcChannel channel = transport.connect(address, 20_000, receiver).get(30, TimeUnit.SECONDS);
            for (int i = 0; i < 2_000; i++) {
                channel.send(new TestMessage(i, 1_000));
            }
            assertThat(receiver.next()).hasSize(1_000);
            process.kill();
            assertThat(receiver.awaitClosed()).isTrue();
            assertThat(receiver.violations).hasValue(0);
        }
    }

    /** One process, whose limit rises: for nothing at all, for few buffers, for many. */
    @Test
    void shouldSayThatTheLimitOnLockedMemoryIsTooLow() throws Exception {
        assumeTrue(Files.exists(Path.of("/usr/bin/setpriv")), "no setpriv on this machine");
        DaRPCServer server = (DaRPCServer) transport.listen(new InetSocketAddress(HOST, 0), new EchoAcceptor(1));
        int port = server.address().getPort();
        try (EchoProcess process = EchoProcess.asked(HOST)) {
            process.limitLockedMemory(64 * 1024);
            assertThat(process.ask("connect 32 " + port))
                    .contains("NamenodeUnreachableException", "limit on locked memory", "65536 bytes", "ulimit -l");
            assertThat(process.ask("listen 32"))
                    .contains("ConfigurationException", "limit on locked memory", "65536 bytes", "ulimit -l");

            process.limitLockedMemory(MIBI);
            assertThat(process.ask("connect 1000 " + port))
                    .contains("NamenodeUnreachableException", "limit on locked memory", MIBI + " bytes", "ulimit -l");
            assertThat(process.ask("connect 32 " + port)).isEqualTo("connected");

            process.limitLockedMemory(16 * MIBI);
            assertThat(process.ask("connect 1000 " + port)).isEqualTo("connected");
        }
    }

    @Test
    void shouldEndAConnectionWhoseClientIsKilledWithCallsInFlight() throws Exception {
        EchoAcceptor acceptor = new EchoAcceptor(1);
        DaRPCServer server = (DaRPCServer) transport.listen(new InetSocketAddress(HOST, 0), acceptor);
        RecordingReceiver receiver = new RecordingReceiver();
        RpcChannel neighbour =
                transport.connect(server.address(), 20_000, receiver).get(30, TimeUnit.SECONDS);
        try (EchoProcess process = EchoProcess.client(server.address())) {
            process.awaitReady();
            process.kill();
        }
        assertThat(acceptor.endings.poll(20, TimeUnit.SECONDS)).isTrue();
        neighbour.send(new TestMessage(1, 100));
        assertThat(receiver.next()).hasSize(100);
        assertThat(receiver.closings).hasValue(0);
    }
}
