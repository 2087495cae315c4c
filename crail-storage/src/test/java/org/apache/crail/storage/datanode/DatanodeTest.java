/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatanodeTest {
    private final FakeNamenode namenode = new FakeNamenode();
    private final CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();

    private Datanode start(String bound) throws Exception {
        conf.set(CrailKeys.STORAGE_TYPES.name(), FakeTier.class.getName());
        conf.set(CrailKeys.NAMENODE_ADDRESS.name(), "crail://127.0.0.1:9060");
        conf.set(CrailKeys.STORAGE_KEEPALIVE.name(), "10ms");
        return Datanode.start(conf, namenode, null, -1, List.of(bound));
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.2, 127.0.0.2", "0.0.0.0, 127.0.0.1", "::, 127.0.0.1", "::1, 0:0:0:0:0:0:0:1"})
    void shouldAdvertiseTheAddressThatItBindsUnlessItBindsAll(String bound, String advertised) throws Exception {
        try (Datanode datanode = start(bound)) {
            assertThat(datanode.info().host()).isEqualTo(advertised);
        }
    }

    @Test
    void shouldAdvertiseWhatTheConfigurationSays() throws Exception {
        conf.set(CrailKeys.DATANODE_HOST.name(), "datanode-7");
        try (Datanode datanode = start("127.0.0.2")) {
            assertThat(datanode.info().host()).isEqualTo("datanode-7");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void shouldRegisterEverythingAgainAlsoWhenThatFailsHalfWay(int succeeding) throws Exception {
        try (Datanode datanode = start("127.0.0.1")) {
            assertThat(datanode.capacityBytes()).isEqualTo(3 << 20);

            namenode.restart(succeeding);

            while (namenode.registered.size() < 3) {
                Thread.onSpinWait();
            }
            assertThat(namenode.registered).containsExactlyInAnyOrder(0L, 1L << 20, 2L << 20);
        }
    }
}
