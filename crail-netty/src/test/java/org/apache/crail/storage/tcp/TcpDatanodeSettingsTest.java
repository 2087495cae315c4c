/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.apache.crail.conf.ConfigCatalog;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.internal.OwnFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TcpDatanodeSettingsTest {
    private final CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();

    private TcpDatanodeSettings settings(String... options) throws ConfigurationException {
        return TcpDatanodeSettings.of(conf, List.of(options));
    }

    @Test
    void shouldRunOnDefaults() throws Exception {
        TcpDatanodeSettings settings = settings();
        assertThat(settings.memory().bind().getPort()).isEqualTo(50020);
        assertThat(settings.memory().bind().getAddress().isAnyLocalAddress()).isTrue();
        assertThat(settings.memory().totalBytes()).isEqualTo(1L << 30);
        assertThat(settings.memory().regionBytes()).isEqualTo(1L << 30);
        assertThat(settings.memory().dataPath().toString()).endsWith("crail-" + OwnFiles.userText());
    }

    @Test
    void shouldPreferOptionsToTheConfiguration() throws Exception {
        conf.set("crail.storage.tcp.port", "1");
        TcpDatanodeSettings settings = settings("-p", "50021", "-c2", "-d", "/data", "-l", "3g");
        assertThat(settings.memory().bind().getPort()).isEqualTo(50021);
        assertThat(settings.threads()).isEqualTo(2);
        assertThat(settings.memory().dataPath()).isEqualTo(Path.of("/data"));
        assertThat(settings.memory().totalBytes()).isEqualTo(3L << 30);
        assertThat(conf.get("crail.storage.tcp.port")).isEqualTo("1");
    }

    @ParameterizedTest
    @CsvSource({"-x, unknown option \"-x\"", "--port, unknown option \"--port\"", "lo, unknown option \"lo\""})
    void shouldNameAnUnknownOption(String option, String message) {
        assertThatThrownBy(() -> settings(option, "1"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(message)
                .hasMessageContaining("-p port");
    }

    @Test
    void shouldNameAnOptionWithoutOrWithAWrongValue() {
        assertThatThrownBy(() -> settings("-p"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("-p")
                .hasMessageContaining("no value");
        assertThatThrownBy(() -> settings("-p", "65536"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("option -p")
                .hasMessageContaining("65536");
    }

    /** D33: the loopback interface works. */
    @Test
    void shouldListenOnTheLoopbackInterface() throws Exception {
        assertThat(settings("-i", "lo").memory().bind().getAddress().isLoopbackAddress())
                .isTrue();
    }

    @Test
    void shouldListTheInterfacesWhenOneDoesNotExist() {
        assertThatThrownBy(() -> settings("-i", "nic99"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("\"nic99\" does not exist")
                .hasMessageContaining("lo");
    }

    @Test
    void shouldListenWhereItIsTold() throws Exception {
        conf.set("crail.datanode.host", "127.0.0.2");
        assertThat(settings().memory().bind().getHostString()).isEqualTo("127.0.0.2");
        conf.set("crail.datanode.bind", "::1");
        assertThat(settings().memory().bind().getAddress().isLoopbackAddress()).isTrue();
    }

    @Test
    void shouldRoundSizesDownToBlocks() throws Exception {
        conf.set("crail.storage.tcp.storagelimit", "10000000");
        conf.set("crail.storage.tcp.allocationsize", "5000000");
        TcpDatanodeSettings settings = settings();
        assertThat(settings.memory().totalBytes()).isEqualTo(9L << 20);
        assertThat(settings.memory().regionBytes()).isEqualTo(4L << 20);
    }

    @ParameterizedTest
    @CsvSource({"storagelimit", "allocationsize"})
    void shouldRefuseSizesWithoutRoomForABlock(String key) {
        conf.set("crail.storage.tcp." + key, "1048575");
        assertThatThrownBy(this::settings)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("crail.storage.tcp." + key + " = 1048575")
                .hasMessageContaining("crail.blocksize");
    }

    @Test
    void shouldDeclareItsKeys() {
        assertThat(ConfigCatalog.load().find("crail.storage.tcp.datapath")).isPresent();
        assertThat(ConfigCatalog.load().find("crail.namenode.tcp.queueDepth")).isPresent();
    }
}
