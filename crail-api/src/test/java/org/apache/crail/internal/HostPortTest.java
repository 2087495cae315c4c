/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostPortTest {
    @ParameterizedTest
    @ValueSource(strings = {"host:9060", "10.0.0.1:0", "[fd00::1]:65535", "name_node-1.example.org:1"})
    void shouldReadWhatItWrites(String text) {
        assertThat(HostPort.parse(text)).hasToString(text);
        assertThat(HostPort.of(URI.create("crail://" + text))).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "host", ":1", "host:", "host:65536", "host:-1", "fd00::1:1", "me@host:1", "[]:1"})
    void shouldRefuseWhatIsNoHostAndPort(String text) {
        assertThat(HostPort.parse(text)).isNull();
    }

    @Test
    void shouldKeepBracketsOutOfTheHost() {
        assertThat(HostPort.parse("[::1]:7")).isEqualTo(new HostPort("::1", 7));
        assertThat(HostPort.of(URI.create("crail:nothing"))).isNull();
    }

    @Test
    void shouldWriteAddressesAsTheyWereGiven() {
        assertThat(HostPort.text(new InetSocketAddress("localhost", 5))).isEqualTo("localhost:5");
        assertThat(HostPort.text(InetSocketAddress.createUnresolved("::1", 5))).isEqualTo("[::1]:5");
        assertThat(HostPort.text(null)).isEqualTo("null");
    }
}
