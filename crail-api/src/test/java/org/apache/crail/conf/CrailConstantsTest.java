/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CrailConstantsTest {
    private final CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();

    @AfterEach
    void restore() {
        CrailConstants.updateConstants(CrailConfiguration.createEmptyConfiguration());
    }

    @Test
    void shouldBeginWithTheDefaults() {
        int timeout = CrailConstants.RPC_TIMEOUT;
        CrailConstants.updateConstants(conf);
        assertThat(CrailConstants.RPC_TIMEOUT).isEqualTo(timeout).isEqualTo(10_000);
        assertThat(CrailConstants.BLOCK_SIZE).isEqualTo(1 << 20);
        assertThat(CrailConstants.NAMENODE_ADDRESS).isEqualTo("crail://localhost:9060");
        assertThat(CrailConstants.STORAGE_KEEPALIVE).isEqualTo(2);
    }

    @Test
    void shouldShowTheConfigurationInTheirHistoricUnits() throws Exception {
        conf.set(CrailConstants.TOKEN_EXPIRATION_KEY, "1500ms");
        conf.set(CrailConstants.DATA_TIMEOUT_KEY, "3s");
        conf.set(CrailConstants.STORAGE_TYPES_KEY, "a.A, b.B");
        conf.set(CrailConstants.SLICE_SIZE_KEY, "64k");
        CrailConstants.updateConstants(conf);
        assertThat(CrailConstants.TOKEN_EXPIRATION).isEqualTo(2);
        assertThat(CrailConstants.DATA_TIMEOUT).isEqualTo(3000);
        assertThat(CrailConstants.STORAGE_TYPES).isEqualTo("a.A,b.B");
        assertThat(CrailConstants.STORAGE_CLASSES).isEqualTo(2);
        assertThat(CrailConstants.SLICE_SIZE).isEqualTo(65536);
        CrailConstants.printConf();
        CrailConstants.verify();
    }

    @Test
    void shouldRefuseWrongValues() {
        conf.set("crail.blocksize", "x");
        assertThatThrownBy(() -> CrailConstants.updateConstants(conf))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("crail.blocksize");
    }

    @Test
    void shouldVerifyThatValuesFit() {
        conf.set("crail.buffersize", "1000");
        CrailConstants.updateConstants(conf);
        assertThatThrownBy(CrailConstants::verify)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("crail.buffersize");
    }
}
