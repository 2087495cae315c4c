/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thousand connections, on a device. */
@Tag("rdma")
final class RdmaLeakTest {
    private static final int WARM_UP = 100;
    private static final int ROUNDS = 1000;

    /** A connection's own memory in this process would show by far: 1,000 times its region alone are 128 MiB. */
    private static final long MOST_GROWTH_KIB = 24 * 1024;

    @Test
    @Timeout(900)
    void shouldLeaveNothingOfAThousandConnections() throws Exception {
        try (Pair pair = new Pair()) {
            connectAndClose(pair, WARM_UP);
            Resources before = Resources.now();
            long memoryBefore = Resources.residentKiB();
            connectAndClose(pair, ROUNDS - WARM_UP);
            Resources.now().assertNothingAddedTo(before);
            assertThat(Resources.residentKiB() - memoryBefore).isLessThan(MOST_GROWTH_KIB);
        }
    }

    private static void connectAndClose(Pair pair, int rounds) throws IOException {
        for (int i = 0; i < rounds; i++) {
            pair.connect();
            pair.server.receive(1, 0, 64);
            pair.client.send(1, 2, 2, 0, 8, 0, 0);
            assertThat(pair.server.complete().status()).isZero();
            pair.disconnect();
            dropEvents(pair.listener);
        }
    }

    private static void dropEvents(Peer peer) {
        int event = peer.nextEvent(0);
        while (event != -1) {
            event = peer.nextEvent(0);
        }
    }
}
