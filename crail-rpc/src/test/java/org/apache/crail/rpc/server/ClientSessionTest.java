/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.crail.rpc.message.PingRequest;
import org.apache.crail.rpc.message.PingResponse;
import org.apache.crail.rpc.message.RequestFrame;
import org.apache.crail.rpc.message.ResponseFrame;
import org.junit.jupiter.api.Test;

class ClientSessionTest {
    private final ClientSession session = new ClientSession(4);
    private int executions;

    @Test
    void shouldAnswerARetriedRequestAsTheFirstTime() {
        ResponseFrame first = execute(1, 1);
        ResponseFrame second = execute(1, 1);

        assertThat(second).isSameAs(first);
        assertThat(executions).isEqualTo(1);
    }

    @Test
    void shouldIgnoreALateCopyOfARequestWhoseAnswerHasArrived() {
        execute(1, 1);
        execute(2, 2);

        assertThat(execute(1, 1)).isNull();
        assertThat(executions).isEqualTo(2);
    }

    @Test
    void shouldReuseThePlacesOfForgottenAnswers() {
        for (long id = 1; id <= 100; id++) {
            assertThat(execute(id, Math.max(1, id - 3)).requestId()).isEqualTo(id);
        }
        assertThat(executions).isEqualTo(100);
    }

    @Test
    void shouldNotExecuteWhatItCouldNotRemember() {
        assertThat(execute(5, 1)).isNull();
        assertThat(executions).isZero();
    }

    @Test
    void shouldBeIdleOnlyWithoutConnections() {
        session.connected();
        assertThat(session.isIdleLongerThan(10, 1_000)).isFalse();

        session.disconnected(1_000);

        assertThat(session.isIdleLongerThan(10, 1_005)).isFalse();
        assertThat(session.isIdleLongerThan(10, 1_011)).isTrue();
    }

    private ResponseFrame execute(long requestId, long oldestPending) {
        return session.executeOnce(new RequestFrame(requestId, oldestPending, new PingRequest(0)), () -> {
            executions++;
            return ResponseFrame.success(requestId, new PingResponse(executions));
        });
    }
}
