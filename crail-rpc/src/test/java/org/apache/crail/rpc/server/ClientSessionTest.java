/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.UUID;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.error.NamenodeBusyException;
import org.apache.crail.error.SessionLostException;
import org.apache.crail.rpc.message.PingRequest;
import org.apache.crail.rpc.message.PingResponse;
import org.apache.crail.rpc.message.RequestFrame;
import org.apache.crail.rpc.message.ResponseFrame;
import org.junit.jupiter.api.Test;

class ClientSessionTest {
    private static final int WINDOW = 4096;

    private final ReplyBudget budget = new ReplyBudget(1 << 20);
    private final ClientSession session = newSession();
    private int executions;

    private ClientSession newSession() {
        return new ClientSession(UUID.randomUUID(), WINDOW, budget);
    }

    @Test
    void shouldAnswerARetriedRequestAsTheFirstTime() throws CrailException {
        ResponseFrame first = execute(1, 1);
        ResponseFrame second = execute(1, 1);

        assertThat(second).isSameAs(first);
        assertThat(executions).isEqualTo(1);
    }

    @Test
    void shouldNotGiveAnAnswerToAnotherRequestThanTheOneItBelongsTo() throws CrailException {
        execute(1, 1);

        assertThatThrownBy(() -> session.executeOnce(new RequestFrame(1, 1, new PingRequest(99)), () -> null))
                .isInstanceOf(SessionLostException.class)
                .hasMessageContaining("another request had its number");
    }

    @Test
    void shouldNotExecuteALateCopyOfARequestWhoseAnswerHasArrived() throws CrailException {
        execute(1, 1);
        execute(2, 2);

        assertThatThrownBy(() -> execute(1, 1)).isInstanceOf(SessionLostException.class);
        assertThat(executions).isEqualTo(2);
    }

    @Test
    void shouldReuseThePlacesOfForgottenAnswers() throws CrailException {
        for (long id = 1; id <= 10_000; id++) {
            assertThat(execute(id, Math.max(1, id - 37)).requestId()).isEqualTo(id);
        }
        assertThat(executions).isEqualTo(10_000);
        for (long id = 10_000 - 37; id <= 10_000; id++) {
            execute(id, 10_000 - 37);
        }
        assertThat(executions).isEqualTo(10_000);
    }

    @Test
    void shouldNotExecuteWhatItCouldNotRemember() {
        assertThatThrownBy(() -> execute(1 + WINDOW, 1)).isInstanceOf(SessionLostException.class);
        assertThatThrownBy(() -> execute(Long.MAX_VALUE, 1)).isInstanceOf(SessionLostException.class);
        assertThat(executions).isZero();
    }

    @Test
    void shouldRefuseAnOldestRequestThatIsLaterThanTheRequestOrNone() throws CrailException {
        assertThatThrownBy(() -> execute(1, Long.MAX_VALUE)).isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> execute(1, 0)).isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> execute(1, -5)).isInstanceOf(InvalidRequestException.class);

        execute(1, 1);
        assertThat(executions).isEqualTo(1);
    }

    @Test
    void shouldTellAClientWhosePlaceAnotherOneHasSpoiled() throws CrailException {
        execute(Long.MAX_VALUE, Long.MAX_VALUE);

        assertThatThrownBy(() -> execute(1, 1)).isInstanceOf(SessionLostException.class);
    }

    @Test
    void shouldTakeLittleMemoryForAClientThatMadeOneChange() throws CrailException {
        execute(1, 1);

        assertThat(budget.takenBytes()).isLessThan(2048);
    }

    @Test
    void shouldGiveBackAllMemoryWhenItEnds() throws CrailException {
        for (long id = 1; id <= 150; id++) {
            execute(id, 1);
        }
        session.end();

        assertThat(budget.takenBytes()).isZero();
        assertThatThrownBy(() -> execute(151, 151)).isInstanceOf(SessionLostException.class);
        assertThat(budget.takenBytes()).isZero();
    }

    @Test
    void shouldRefuseWhatAClientKeepsBeyondItsShareAndServeOthersYet() throws CrailException {
        assertThatThrownBy(() -> {
                    for (long id = 1; id <= WINDOW; id++) {
                        execute(id, 1);
                    }
                })
                .isInstanceOf(NamenodeBusyException.class)
                .hasMessageContaining("crail.namenode.replymemory");
        assertThat(budget.takenBytes()).isLessThan(1 << 17);

        ClientSession other = newSession();
        assertThat(other.executeOnce(new RequestFrame(1, 1, new PingRequest(0)), () -> reply(1)))
                .isNotNull();
    }

    @Test
    void shouldServeANewClientWhateverManyOthersHold() throws CrailException {
        ReplyBudget large = new ReplyBudget(16 << 20);
        for (int client = 0; client < 100; client++) {
            fill(new ClientSession(UUID.randomUUID(), WINDOW, large));
        }
        assertThat(large.takenBytes()).isBetween(8L << 20, 10L << 20);

        ClientSession other = new ClientSession(UUID.randomUUID(), WINDOW, large);
        assertThat(other.executeOnce(new RequestFrame(1, 1, new PingRequest(0)), () -> reply(1)))
                .isNotNull();
    }

    private void fill(ClientSession full) throws CrailException {
        try {
            for (long id = 1; id <= WINDOW; id++) {
                long number = id;
                full.executeOnce(new RequestFrame(id, 1, new PingRequest(0)), () -> reply(number));
            }
        } catch (NamenodeBusyException e) {
            assertThat(e).hasMessageContaining("all clients");
        }
    }

    private ResponseFrame execute(long requestId, long oldestPending) throws CrailException {
        return session.executeOnce(
                new RequestFrame(requestId, oldestPending, new PingRequest(0)), () -> reply(requestId));
    }

    private ResponseFrame reply(long requestId) {
        executions++;
        return ResponseFrame.success(requestId, new PingResponse(executions));
    }
}
