/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.crail.error.BlocksPendingException;
import org.apache.crail.error.CrailException;
import org.apache.crail.rpc.message.PingRequest;
import org.apache.crail.rpc.message.PingResponse;
import org.apache.crail.rpc.message.RequestFrame;
import org.junit.jupiter.api.Test;

class CallWindowTest {
    private static final long PAUSE_NS = 1_000_000;

    private final CallWindow window = new CallWindow(4);
    private final CrailException reason = new BlocksPendingException("none is free yet");

    @Test
    void shouldCountIdsFromOne() {
        assertThat(window.add(call(0)).requestId()).isEqualTo(1);
        assertThat(window.add(call(0)).requestId()).isEqualTo(2);
    }

    @Test
    void shouldTellTheServerWhichAnswersHaveArrived() {
        window.add(call(0));
        window.add(call(0));
        end(2);
        assertThat(window.add(call(0)).oldestPending()).isEqualTo(1);

        end(1);

        assertThat(window.add(call(0)).oldestPending()).isEqualTo(3);
    }

    @Test
    void shouldKeepCallsBackThatTheServerCouldNotRemember() {
        for (int i = 0; i < 4; i++) {
            assertThat(window.add(call(0))).isNotNull();
        }
        PendingCall<PingResponse> fifth = call(0);
        assertThat(window.add(fifth)).isNull();
        end(2);
        assertThat(window.admitWaiting()).isNull();

        end(1);

        RequestFrame admitted = window.admitWaiting();
        assertThat(admitted.requestId()).isEqualTo(5);
        assertThat(window.find(5)).isSameAs(fifth);
    }

    @Test
    void shouldSendACallAgainThatWasPutOff() {
        PendingCall<PingResponse> call = call(2 * PAUSE_NS);
        window.add(call);

        window.postpone(1, reason, 0, 50);

        assertThat(window.find(1)).isNull();
        assertThat(window.admitWaiting()).isNull();
        assertThat(window.isEmpty()).isFalse();
        assertThat(window.framesInFlight()).isEmpty();
        assertThat(window.postponement(call)).isSameAs(reason);
        window.resumePostponed(PAUSE_NS - 1);
        assertThat(window.admitWaiting()).as("too early").isNull();
        window.resumePostponed(PAUSE_NS);
        RequestFrame again = window.admitWaiting();
        assertThat(again.requestId()).isEqualTo(2);
        assertThat(again.oldestPending()).isEqualTo(2);
        assertThat(window.find(2)).isSameAs(call);
        assertThat(window.postponement(call)).as("it may be done now").isNull();
    }

    @Test
    void shouldGiveACallThatIsPutOffMoreTimeOnce() {
        PendingCall<PingResponse> call = call(0);
        long extraNs = 3 * PAUSE_NS;
        window.add(call);
        window.postpone(1, reason, 0, extraNs);
        assertThat(window.expired(extraNs - 1)).isEmpty();
        assertThat(window.expired(extraNs)).containsExactly(call);
        window.resumePostponed(extraNs - 1);
        assertThat(window.admitWaiting()).isNotNull();
        window.postpone(2, reason, 0, extraNs);
        assertThat(window.expired(extraNs)).containsExactly(call);
        window.resumePostponed(extraNs);
        assertThat(window.admitWaiting()).as("too late to be sent").isNull();
        call.completeExceptionally(reason);
        assertThat(window.isEmpty()).isTrue();
    }

    @Test
    void shouldPutACallOffOnceForAnAnswerThatComesTwice() {
        PendingCall<PingResponse> call = call(10 * PAUSE_NS);
        window.add(call);
        window.postpone(1, reason, 0, 0);
        window.postpone(1, reason, 0, 0);
        window.resumePostponed(PAUSE_NS);
        assertThat(window.admitWaiting().requestId()).isEqualTo(2);

        window.postpone(1, reason, 0, 0);

        assertThat(window.find(2)).as("an answer to its former id").isSameAs(call);
        assertThat(call.isDone()).isFalse();
    }

    @Test
    void shouldPauseLongerEachTimeUntilASixteenthOfWhatTheBlocksTake() {
        PendingCall<PingResponse> call = call(1_000 * PAUSE_NS);
        window.add(call);
        long nowNs = 0;
        for (int pauses : new int[] {1, 2, 4, 8, 10, 10}) {
            window.postpone(call.requestId, reason, nowNs, 160 * PAUSE_NS);
            window.resumePostponed(nowNs + pauses * PAUSE_NS - 1);
            assertThat(window.admitWaiting()).isNull();
            nowNs += pauses * PAUSE_NS;
            window.resumePostponed(nowNs);
            assertThat(window.admitWaiting()).isNotNull();
            assertThat(call.delayNs()).as("sent so late").isEqualTo(nowNs - 1_000 * PAUSE_NS);
        }
    }

    @Test
    void shouldFindACallUntilItIsDone() {
        PendingCall<PingResponse> call = call(0);
        window.add(call);

        assertThat(window.find(1)).isSameAs(call);
        assertThat(window.isEmpty()).isFalse();
        assertThat(window.find(77)).isNull();
        end(1);
        assertThat(window.find(1)).isNull();
        assertThat(window.isEmpty()).isTrue();
    }

    @Test
    void shouldGiveOutWhatIsInFlightInOrder() {
        window.add(call(0));
        window.add(call(0));
        window.add(call(0));
        end(2);

        assertThat(window.framesInFlight()).extracting(RequestFrame::requestId).containsExactly(1L, 3L);
    }

    @Test
    void shouldTellWhatHasExpiredWhetherInFlightOrWaitingUntilItIsDone() {
        PendingCall<PingResponse> late = call(10);
        PendingCall<PingResponse> lateWaiting = call(10);
        window.add(late);
        for (int i = 0; i < 3; i++) {
            window.add(call(1_000));
        }
        window.add(lateWaiting);

        assertThat(window.expired(9)).isEmpty();
        assertThat(window.expired(10)).map(call -> (Object) call).containsExactly(late, lateWaiting);
        assertThat(window.expired(10)).map(call -> (Object) call).containsExactly(late, lateWaiting);
        late.complete(null);
        assertThat(window.expired(10)).map(call -> (Object) call).containsExactly(lateWaiting);
        lateWaiting.complete(null);
        assertThat(window.expired(10)).isEmpty();
        assertThat(window.unfinished()).hasSize(3);
        assertThat(window.admitWaiting()).isNull();
    }

    @Test
    void shouldNotSendAWaitingCallThatIsDone() {
        for (int i = 0; i < 4; i++) {
            window.add(call(0));
        }
        PendingCall<PingResponse> fifth = call(0);
        PendingCall<PingResponse> sixth = call(0);
        window.add(fifth);
        window.add(sixth);
        fifth.complete(null);
        end(1);

        assertThat(window.admitWaiting().requestId()).isEqualTo(5);
        assertThat(window.find(5)).isSameAs(sixth);
    }

    private void end(long requestId) {
        window.find(requestId).complete(null);
    }

    private static PendingCall<PingResponse> call(long deadlineNs) {
        return new PendingCall<>(new PingRequest(1), deadlineNs, 0);
    }
}
