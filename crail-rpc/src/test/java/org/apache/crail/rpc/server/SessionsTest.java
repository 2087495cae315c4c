/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.NamenodeBusyException;
import org.apache.crail.error.SessionLostException;
import org.apache.crail.rpc.message.HelloRequest;
import org.apache.crail.rpc.message.PingRequest;
import org.apache.crail.rpc.message.PingResponse;
import org.apache.crail.rpc.message.RequestFrame;
import org.apache.crail.rpc.message.ResponseFrame;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SessionsTest {
    private static final long INCARNATION = 7;
    private static final long NEVER_NS = TimeUnit.HOURS.toNanos(1);

    private final Sessions sessions = new Sessions(1 << 20, NEVER_NS, 1_000_000);

    @Test
    void shouldGiveAClientThatComesBackItsSession() throws CrailException {
        ClientSession first = open(1, HelloRequest.NOWHERE);
        sessions.disconnected(first);

        assertThat(open(1, INCARNATION)).isSameAs(first);
        assertThat(open(1, HelloRequest.NOWHERE)).isSameAs(first);
    }

    @Test
    void shouldForgetAnIdleSessionThoughNoOtherIsOpened() throws Exception {
        Sessions brief = new Sessions(1 << 20, 1, 1);
        brief.disconnected(brief.open(hello(1, HelloRequest.NOWHERE), INCARNATION));

        while (brief.size() > 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldKeepASessionThatIsConnected() throws Exception {
        Sessions brief = new Sessions(1 << 20, 1, 1);
        ClientSession kept = brief.open(hello(1, HelloRequest.NOWHERE), INCARNATION);
        brief.open(hello(1, INCARNATION), INCARNATION);
        brief.disconnected(kept);
        brief.disconnected(brief.open(hello(2, HelloRequest.NOWHERE), INCARNATION));
        while (brief.size() > 1) {
            Thread.onSpinWait();
        }

        assertThat(brief.open(hello(1, INCARNATION), INCARNATION)).isSameAs(kept);
    }

    @Test
    void shouldEndTheSessionOfAClientThatSaysGoodbye() throws CrailException {
        ClientSession session = open(1, HelloRequest.NOWHERE);
        change(session, 1);
        sessions.end(session);
        sessions.disconnected(session);

        assertThat(sessions.size()).isZero();
        assertThat(open(1, HelloRequest.NOWHERE)).isNotSameAs(session);
    }

    @Test
    void shouldForgetThoseThatAreIdleForLongestWhenMemoryRunsShort() throws CrailException {
        int clients = 200;
        for (long id = 1; id <= clients; id++) {
            ClientSession session = open(id, HelloRequest.NOWHERE);
            for (long request = 1; request <= 8; request++) {
                change(session, request);
            }
            sessions.disconnected(session);
        }

        assertThat(sessions.size()).isBetween(1, clients - 1);
        assertThat(open(clients, INCARNATION)).isNotNull();
        assertThatThrownBy(() -> open(1, INCARNATION))
                .isInstanceOf(SessionLostException.class)
                .hasMessageContaining("not known");
    }

    @Test
    void shouldTakeAClientOfAnotherIncarnationForANewOne() throws CrailException {
        assertThat(open(1, INCARNATION - 1)).isNotNull();
    }

    @Test
    void shouldRefuseSessionsWhenThoseConnectedTakeAllMemory() {
        assertThatThrownBy(() -> {
                    for (long id = 1; id <= 10_000; id++) {
                        open(id, HelloRequest.NOWHERE);
                    }
                })
                .isInstanceOf(NamenodeBusyException.class)
                .hasMessageContaining("crail.namenode.replymemory");
        assertThat(sessions.size()).isGreaterThan(1_000);
    }

    private static void change(ClientSession session, long id) throws CrailException {
        session.executeOnce(
                new RequestFrame(id, 1, new PingRequest(0)), () -> ResponseFrame.success(id, new PingResponse(1)));
    }

    private ClientSession open(long client, long openedAt) throws CrailException {
        return sessions.open(hello(client, openedAt), INCARNATION);
    }

    private static HelloRequest hello(long client, long openedAt) {
        return new HelloRequest(HelloRequest.MAGIC, HelloRequest.VERSION, "c", client, 2, openedAt);
    }
}
