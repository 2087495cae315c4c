/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.verbs.NativeVerbs;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A host without an RDMA device in a cluster whose first storage class is RDMA memory. */
class TierWithoutDeviceTest {
    private static final String RDMA_TIER = "org.apache.crail.storage.rdma.RdmaStorageTier";
    private static final String TCP_TIER = "org.apache.crail.storage.tcp.TcpStorageTier";

    @BeforeEach
    void requireNoDevice() {
        assumeFalse(NativeVerbs.isAvailable(), "RDMA can be used here");
    }

    @Test
    void shouldWorkWithAnotherClass() throws Exception {
        try (MiniCluster cluster = MiniCluster.builder(ClusterKind.SOCKETS)
                .datanodes(0)
                .with(CrailKeys.STORAGE_TYPES.name(), RDMA_TIER + "," + TCP_TIER)
                .start()) {
            assertThat(cluster.startDatanode(1).info().getStorageClass()).isEqualTo(1);
            try (TestClient client = TestClient.open(cluster.configuration())) {
                client.write("/file", new byte[] {1, 2, 3});
                assertThat(client.read("/file")).containsExactly(1, 2, 3);
            }
        }
    }

    /** The client takes the first tier, whatever the datanode is, for that of its own configuration. */
    @Test
    void shouldSayWhyBlocksOfTheTierCannotBeReached() throws Exception {
        try (MiniCluster cluster = MiniCluster.builder(ClusterKind.SOCKETS).start()) {
            CrailConfiguration withRdma = cluster.configuration();
            withRdma.set(CrailKeys.STORAGE_TYPES.name(), RDMA_TIER);
            try (TestClient client = TestClient.open(withRdma)) {
                assertThatThrownBy(() -> client.write("/file", new byte[] {1, 2, 3}))
                        .isInstanceOf(ConfigurationException.class)
                        .hasMessageContaining("the storage tier rdma does not work on this machine")
                        .hasMessageContaining(NativeVerbs.unavailabilityCause().getMessage());
            }
        }
    }
}
