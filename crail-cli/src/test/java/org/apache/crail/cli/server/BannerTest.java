/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.crail.conf.CrailConfiguration;
import org.junit.jupiter.api.Test;

class BannerTest {
    @Test
    void shouldTellSettingsThatDifferFromTheirDefaults() throws Exception {
        CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        conf.set("crail.blocksize", "2048k");
        conf.set("crail.rpctimeout", "10s"); // as by default

        assertThat(Banner.settings(conf)).containsExactly("crail.blocksize = 2m (program)");
        assertThat(Banner.settings(CrailConfiguration.createEmptyConfiguration()))
                .isEmpty();
    }
}
