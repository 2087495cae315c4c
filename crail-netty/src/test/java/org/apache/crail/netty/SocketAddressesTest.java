/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ConnectTimeoutException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class SocketAddressesTest {
    @Test
    void shouldSayWhyAConnectionWasNotMadeWithoutRepeatingTheAddress() {
        String refused = "finishConnect(..) failed with error(-111): Connection refused: localhost/127.0.0.1:9060";
        String unreachable = "finishConnect(..) failed with error(-113): No route to host: far/10.0.0.1:9060";

        assertThat(SocketAddresses.connectFailure(new ConnectException(refused)))
                .isEqualTo("nobody listens there (connection refused)");
        assertThat(SocketAddresses.connectFailure(new IOException(unreachable))).isEqualTo("No route to host");
        assertThat(SocketAddresses.connectFailure(new ConnectTimeoutException("connection timed out: far/10.0.0.1:1")))
                .isEqualTo("it did not answer in time");
        assertThat(SocketAddresses.connectFailure(new UnknownHostException("nowhere")))
                .isEqualTo("the host name cannot be resolved");
        assertThat(SocketAddresses.connectFailure(new NoRouteToHostException("null: /192.0.2.1:9060")))
                .isEqualTo("no route leads there (network is unreachable)");
        assertThat(SocketAddresses.connectFailure(new IOException())).isEqualTo("IOException");
    }

    @Test
    void shouldNameTheSettingOfAPortInUse() {
        InetSocketAddress address = new InetSocketAddress("localhost", 9060);

        assertThat(SocketAddresses.bindError("the namenode", address, "-p", new IOException("Address already in use")))
                .hasMessageContaining("the namenode cannot listen on localhost:9060")
                .hasMessageEndingWith("choose another port with -p");
    }
}
