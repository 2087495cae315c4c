/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.NamenodeUnreachableException;
import org.apache.crail.rpc.transport.RpcTransport;
import org.apache.crail.verbs.NativeVerbs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is said where RDMA cannot be used, and about wrong settings. */
class DaRPCWithoutDeviceTest {
    private static final String CLASS = "org.apache.crail.namenode.rpc.darpc.DaRPCNameNode";

    private final CrailConfiguration configuration = CrailConfiguration.createEmptyConfiguration();
    private RpcTransport transport;

    @BeforeEach
    void openByName() throws Exception {
        transport = RpcTransport.createInstance(CLASS, configuration);
    }

    @AfterEach
    void closeTransport() {
        transport.close();
    }

    private static InetSocketAddress address(int... bytes) throws Exception {
        byte[] raw = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            raw[i] = (byte) bytes[i];
        }
        return new InetSocketAddress(InetAddress.getByAddress(raw), 9060);
    }

    @Test
    void shouldSayWhyRdmaCannotBeUsed() throws Exception {
        Throwable cause = NativeVerbs.unavailabilityCause();
        assumeFalse(cause == null, "RDMA can be used here");
        InetSocketAddress target = address(192, 0, 2, 1);
        assertThatThrownBy(() -> transport
                        .connect(target, 1_000, new RecordingReceiver())
                        .get())
                .cause()
                .isInstanceOf(NamenodeUnreachableException.class)
                .hasMessageContaining("192.0.2.1:9060")
                .hasMessageContaining(cause.getMessage());
        assertThatThrownBy(() -> transport.listen(target, new EchoAcceptor(1)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("192.0.2.1:9060")
                .hasMessageContaining(cause.getMessage());
    }

    @Test
    void shouldSayThatAddressesAreIpv4() throws Exception {
        InetSocketAddress ipv6 = address(0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
        assertThatThrownBy(() ->
                        transport.connect(ipv6, 1_000, new RecordingReceiver()).get())
                .cause()
                .isInstanceOf(NamenodeUnreachableException.class)
                .hasMessageContaining("IPv4");
        assertThatThrownBy(() -> transport.listen(ipv6, new EchoAcceptor(1)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("IPv4");
    }

    @Test
    void shouldSayThatAServerNeedsOneAddress() throws Exception {
        InetSocketAddress any = address(0, 0, 0, 0);
        assertThatThrownBy(() -> transport.listen(any, new EchoAcceptor(1)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("crail.namenode.address");
    }

    @Test
    void shouldReadAffinitiesAsMasks() throws Exception {
        assertThat(DaRPCSettings.of(configuration).clusterMasks()).isEqualTo(List.of(0L));
        configuration.set(DaRPCKeys.AFFINITY.name(), "1,0,5");
        assertThat(DaRPCSettings.of(configuration).clusterMasks()).isEqualTo(List.of(2L, 1L, 32L));
        configuration.set(DaRPCKeys.AFFINITY.name(), "63");
        assertThatThrownBy(() -> DaRPCSettings.of(configuration))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("crail.namenode.darpc.affinity")
                .hasMessageContaining("from 0 to 62");
    }

    @Test
    void shouldPollHardOnlyWhereProcessorsAreLeft() throws Exception {
        assertThat(DaRPCSettings.of(configuration).polling()).isFalse();
        configuration.set(DaRPCKeys.POLLING.name(), "true");
        assertThat(DaRPCSettings.of(configuration).polling())
                .isEqualTo(Runtime.getRuntime().availableProcessors() >= DaRPCSettings.POLLING_PROCESSORS);
    }

    @Test
    void shouldRefuseACompletionQueueWhoseLengthIsNoNumber() {
        configuration.set(DaRPCKeys.RECV_QUEUE.name(), "16384");
        configuration.set(DaRPCKeys.SEND_QUEUE.name(), "16384");
        configuration.set(DaRPCKeys.CLUSTER_SIZE.name(), "65536");
        assertThatThrownBy(() -> DaRPCSettings.of(configuration))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("crail.namenode.darpc.clustersize = 65536")
                .hasMessageContaining("completion queue of 2147614720 entries");
    }

    @Test
    void shouldNameTheKeysThatMakeACompletionQueueTooLarge() throws Exception {
        IOException refused = new IOException("ibv_create_cq with 8454144 entries failed: Invalid argument (errno 22)");
        assertThat(BindErrors.of(address(192, 0, 2, 1), refused))
                .hasMessageContaining("8454144 entries")
                .hasMessageContaining("crail.namenode.darpc.clustersize")
                .hasMessageContaining("crail.namenode.darpc.recvQueue");
    }

    @Test
    void shouldRefuseBuffersThatAreTooLargeTogether() {
        configuration.set(DaRPCKeys.RECV_QUEUE.name(), "16384");
        configuration.set(DaRPCKeys.MESSAGE_SIZE.name(), "128k");
        assertThatThrownBy(() -> DaRPCSettings.of(configuration))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("recvQueue")
                .hasMessageContaining("messagesize");
    }
}
