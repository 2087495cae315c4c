/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.apache.crail.conf.ConfigCatalog;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.OperationTimeoutException;
import org.apache.crail.error.StaleBlockException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RdmaDatanodeSettingsTest {
    private final CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();

    @BeforeEach
    void setHost() {
        conf.set("crail.datanode.host", "127.0.0.1");
    }

    private RdmaDatanodeSettings settings(String... options) throws ConfigurationException {
        return RdmaDatanodeSettings.of(conf, List.of(options));
    }

    @Test
    void shouldRunOnDefaults() throws Exception {
        RdmaDatanodeSettings settings = settings();
        assertThat(settings.address().getPort()).isEqualTo(50020);
        assertThat(settings.address().getAddress().getHostAddress()).isEqualTo("127.0.0.1");
        assertThat(settings.memory().totalBytes()).isEqualTo(1L << 30);
        assertThat(settings.backlog()).isEqualTo(100);
        assertThat(settings.persistent()).isFalse();
        RdmaClientSettings client = RdmaClientSettings.of(conf);
        assertThat(client.queueSize()).isEqualTo(32);
        assertThat(client.polling()).isTrue();
        assertThat(client.connectTimeoutMs()).isEqualTo(5000);
    }

    @Test
    void shouldEndTransfersBeforeTheirBlockIsGivenAway() throws Exception {
        RdmaClientSettings client = RdmaClientSettings.of(conf);
        assertThat(client.limits().limitMs()).isEqualTo(4000);
        assertThat(client.limits().late("a read"))
                .isInstanceOf(StaleBlockException.class)
                .hasMessageContaining("a read")
                .hasMessageContaining("4000 ms");
        conf.set("crail.datatimeout", "3s");
        client = RdmaClientSettings.of(conf);
        assertThat(client.limits().limitMs()).isEqualTo(3000);
        assertThat(client.limits().late("a read")).isInstanceOf(OperationTimeoutException.class);
    }

    @Test
    void shouldPreferOptionsToTheConfiguration() throws Exception {
        conf.set("crail.storage.rdma.port", "1");
        RdmaDatanodeSettings settings = settings("-p", "50021", "-d", "/data", "-l3g", "-s", "-i", "lo");
        assertThat(settings.address().getPort()).isEqualTo(50021);
        assertThat(settings.address().getAddress().isLoopbackAddress()).isTrue();
        assertThat(settings.memory().dataPath()).isEqualTo(Path.of("/data"));
        assertThat(settings.memory().totalBytes()).isEqualTo(3L << 30);
        assertThat(settings.persistent()).isTrue();
    }

    @Test
    void shouldListenOnOneAddressWhenToldToListenOnAll() throws Exception {
        conf.set("crail.datanode.bind", "0.0.0.0");
        assertThat(settings().address().getAddress().isAnyLocalAddress()).isFalse();
        conf.set("crail.datanode.host", "");
        assertThatThrownBy(this::settings)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("one address")
                .hasMessageContaining("crail.storage.rdma.interface");
    }

    @Test
    void shouldSayThatItWorksOverIpv4Only() {
        conf.set("crail.datanode.bind", "::1");
        assertThatThrownBy(this::settings)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("IPv4 only")
                .hasMessageContaining("1");
    }

    @Test
    void shouldNameAnUnknownOption() {
        assertThatThrownBy(() -> settings("-x", "1"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("unknown option \"-x\" of the rdma tier")
                .hasMessageContaining("-p port");
        assertThatThrownBy(() -> settings("-sx")).isInstanceOf(ConfigurationException.class);
    }

    @Test
    void shouldDeclareItsKeys() {
        assertThat(ConfigCatalog.load().find("crail.storage.rdma.queuesize")).isPresent();
        conf.set("crail.storage.rdma.type", "both");
        assertThatThrownBy(() -> RdmaClientSettings.of(conf))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("passive, active");
        conf.set("crail.storage.rdma.type", "active");
        conf.set("crail.storage.rdma.queuesize", "1");
        assertThatThrownBy(() -> RdmaClientSettings.of(conf)).isInstanceOf(ConfigurationException.class);
    }
}
