/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class NvmfConnectorTest {
    private static final Target TARGET = new Target("localhost", 4420, "nqn.2017-06.io.crail:test", 1, "");
    private final IOException refusal = new IOException(
            "ibv_post_send failed: connection with 10.0.0.1 port 4431: RDMA_CM_EVENT_REJECTED, status 28 (the peer refused it)");

    private final AtomicInteger attempts = new AtomicInteger();

    private NvmfConnector<String> connector(int failures, Throwable failure) {
        return new NvmfConnector<>(
                target -> {
                    if (attempts.incrementAndGet() <= failures) {
                        throwAsIs(failure);
                    }
                    return "connected";
                },
                ignored -> {});
    }

    private static void throwAsIs(Throwable failure) throws IOException {
        if (failure instanceof Error error) {
            throw error;
        }
        throw (IOException) failure;
    }

    @Test
    void shouldConnectAfterAnAttemptForWhichMemoryWasShort() throws Exception {
        NvmfConnector<String> connector = connector(1, new OutOfMemoryError("no direct memory"));
        assertThatThrownBy(() -> connector.connect("test", TARGET, 60_000))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no direct memory");
        assertThat(connector.connect("test", TARGET, 60_000)).isEqualTo("connected");
    }

    @Test
    void shouldConnectToATargetThatRefusesForAWhile() throws Exception {
        assertThat(connector(2, refusal).connect("test", TARGET, 60_000)).isEqualTo("connected");
    }

    @Test
    void shouldGiveUpOnATargetThatRefusesAgainAndAgain() {
        assertThatThrownBy(() -> connector(Integer.MAX_VALUE, refusal).connect("test", TARGET, 60_000))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the peer refused it");
        assertThat(attempts).hasValue(4);
    }

    @Test
    void shouldNotTryAgainWhereNobodyListens() {
        IOException absent = new IOException("RDMA_CM_EVENT_REJECTED, status 8 (nothing listens there)");
        assertThatThrownBy(() -> connector(1, absent).connect("test", TARGET, 60_000))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("nothing listens there");
        assertThat(attempts).hasValue(1);
    }
}
