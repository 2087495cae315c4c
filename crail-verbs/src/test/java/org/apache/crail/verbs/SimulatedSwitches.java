/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * The switches of the library, which it reads when it is loaded: {@link SimulatedDeviceTest} sets each in a JVM of its
 * own.
 */
final class SimulatedSwitches {
    static final String RAW_EVENTS = "CRAIL_VERBS_RAW_EVENTS";
    static final String FLUSH_ON_DISCONNECT = "CRAIL_VERBS_FLUSH_ON_DISCONNECT";

    @Test
    @EnabledIfEnvironmentVariable(named = RAW_EVENTS, matches = "1")
    void shouldReportARefusedConnectByItsOwnNumber() throws IOException {
        try (Peer peer = new Peer()) {
            peer.resolve(Natives.deviceAddress(), 1);
            peer.allocate(4, 0);
            peer.connect();
            peer.expectEvent(Peer.REJECTED);
        }
    }

    /**
     * P28: what the passive end has posted comes back, and the active end gets its answer, before the program closes.
     */
    @Test
    @EnabledIfEnvironmentVariable(named = FLUSH_ON_DISCONNECT, matches = "1")
    void shouldAnswerADisconnectAndFlushAtOnce() throws IOException {
        try (Pair pair = Pair.connected()) {
            pair.server.receive(1, 0, 64);
            assertThat(pair.client.natives._disconnect(pair.client.id)).isZero();
            pair.listener.expectEvent(Peer.DISCONNECTED);
            assertThat(pair.server.complete()).extracting("wrId", "status").containsExactly(1L, 5);
            pair.client.expectEvent(Peer.DISCONNECTED);
        }
    }
}
