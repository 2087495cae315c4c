/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.TestClient;
import org.apache.crail.testkit.nvme.NvmeTarget;
import org.apache.crail.testkit.nvme.NvmeTargets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A target that admits hosts by their names. */
@Tag("nvmf")
final class NvmfHostAdmissionTest {
    private static final String NAME = "nqn.2017-06.io.crail:client";

    private final NvmeTarget target = NvmeTargets.numbered(0);

    @BeforeEach
    void admitOne() throws Exception {
        target.admitOnly(NAME);
    }

    @AfterEach
    void admitAll() throws Exception {
        target.admitAll(NAME);
    }

    @Test
    void shouldServeADatanodeAndItsClientsUnderTheNameThatIsAdmitted() throws Exception {
        try (MiniCluster cluster = MiniCluster.builder(ClusterKind.NVMF)
                .with("crail.storage.nvmf.hostnqn", NAME)
                .start()) {
            var other = cluster.configuration();
            other.set("crail.storage.nvmf.hostnqn", ""); // the name comes with the registration
            try (TestClient client = TestClient.open(other)) {
                client.write("/file", Pattern.of(1, 1000));
                assertThat(client.read("/file")).isEqualTo(Pattern.of(1, 1000));
            }
        }
    }

    @Test
    void shouldRefuseOthers() {
        assertThatThrownBy(() -> MiniCluster.builder(ClusterKind.NVMF).start())
                .isInstanceOf(DatanodeUnreachableException.class)
                .hasMessageContaining("admits this host");
    }
}
