/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.internal.HostPort;
import org.apache.crail.namenode.Namenode;
import org.apache.crail.namenode.NamenodeOptions;
import org.apache.crail.storage.datanode.Datanode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** D33: IPv6 works on both planes, and nobody has to name an interface. */
class Ipv6ClusterTest {
    private static final int BLOCK = 64 * 1024;
    private static final int BLOCKS = 16;

    @BeforeEach
    void requireIpv6() throws Exception {
        assumeTrue(hasIpv6Loopback(), "this machine has no address ::1");
    }

    private static boolean hasIpv6Loopback() throws SocketException, UnknownHostException {
        return NetworkInterface.getByInetAddress(loopback()) != null;
    }

    private static InetAddress loopback() throws UnknownHostException {
        byte[] address = new byte[16];
        address[15] = 1;
        return InetAddress.getByAddress(address);
    }

    private static CrailConfiguration configuration(boolean mapped) {
        CrailConfiguration configuration = CrailConfiguration.createEmptyConfiguration();
        configuration.set("crail.namenode.address", "crail://[::1]:0");
        configuration.set("crail.blocksize", Integer.toString(BLOCK));
        configuration.set("crail.buffersize", Integer.toString(BLOCK));
        configuration.set("crail.slicesize", Integer.toString(BLOCK));
        configuration.set("crail.cachelimit", "0");
        configuration.set("crail.singleton", "false");
        configuration.set("crail.storage.tcp.port", "0");
        configuration.set("crail.storage.tcp.mapped", Boolean.toString(mapped));
        configuration.set("crail.storage.tcp.storagelimit", Integer.toString(BLOCKS * BLOCK));
        configuration.set("crail.storage.tcp.allocationsize", Integer.toString(BLOCKS * BLOCK));
        return configuration;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldStoreAndReadWhereTheNamenodeHasAnIpv6Address(boolean mapped) throws Exception {
        CrailConfiguration configuration = configuration(mapped);
        try (Namenode namenode = Namenode.start(configuration, NamenodeOptions.none())) {
            configuration.set("crail.namenode.address", "crail://" + HostPort.text(namenode.address()));
            try (Datanode datanode = Datanode.start(configuration, null, -1, List.of())) {
                assertThat(InetAddress.getByName(datanode.info().host()))
                        .as("the address that the datanode tells")
                        .isInstanceOf(Inet6Address.class)
                        .matches(InetAddress::isLoopbackAddress);
                try (TestClient client = TestClient.open(configuration)) {
                    client.write("/file", Pattern.of(1, 3 * BLOCK + 1));
                    assertThat(client.read("/file")).isEqualTo(Pattern.of(1, 3 * BLOCK + 1));
                    assertThat(client.list("/")).containsExactly("file");
                }
            }
        }
    }

    @Test
    void shouldBindAndTellTheIpv6AddressOfADatanode() throws Exception {
        CrailConfiguration configuration = configuration(false);
        configuration.set("crail.datanode.bind", "::1");
        try (Namenode namenode = Namenode.start(configuration, NamenodeOptions.none())) {
            configuration.set("crail.namenode.address", "crail://" + HostPort.text(namenode.address()));
            try (Datanode datanode = Datanode.start(configuration, null, -1, List.of());
                    TestClient client = TestClient.open(configuration)) {
                assertThat(InetAddress.getByName(datanode.info().host())).isEqualTo(loopback());
                client.write("/file", Pattern.of(2, BLOCK));
                assertThat(client.read("/file")).isEqualTo(Pattern.of(2, BLOCK));
            }
        }
    }
}
