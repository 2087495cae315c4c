/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.CrailException;
import org.apache.crail.rpc.message.PingRequest;
import org.apache.crail.rpc.message.PingResponse;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class PendingCallTest {
    private static final int LIMIT_S = 20;

    private final PingResponse answer = new PingResponse(1);
    private PendingCall<PingResponse> call;
    private CompletableFuture<Thread> ender;

    /** Asks in the thread of the test. */
    private void ask() {
        call = new PendingCall<>(new PingRequest(1), 0, 0);
        ender = call.handle((result, failure) -> Thread.currentThread());
    }

    private boolean leaveElsewhere(Object outcome) throws Exception {
        return CompletableFuture.supplyAsync(() -> call.leave(outcome)).get(LIMIT_S, TimeUnit.SECONDS);
    }

    @Test
    void shouldEndInTheThreadThatLooks() throws Exception {
        ask();
        assertThat(call.beginWatch()).isTrue();
        call.look();
        assertThat(leaveElsewhere(answer)).isTrue();
        assertThat(call).isNotDone();
        call.look();
        assertThat(call.get()).isEqualTo(answer);
        assertThat(ender.get()).isEqualTo(Thread.currentThread());
    }

    @Test
    void shouldEndInTheThreadThatStopsToLook() throws Exception {
        ask();
        assertThat(call.beginWatch()).isTrue();
        assertThat(leaveElsewhere(answer)).isTrue();
        call.endWatch();
        assertThat(call.get()).isEqualTo(answer);
        assertThat(ender.get()).isEqualTo(Thread.currentThread());
    }

    @Test
    void shouldFailWithAFailureThatWasLeft() throws Exception {
        ask();
        CrailException failure = new ClosedException("closed");
        assertThat(call.beginWatch()).isTrue();
        assertThat(leaveElsewhere(failure)).isTrue();
        call.endWatch();
        assertThatThrownBy(call::get).isInstanceOf(ExecutionException.class).hasCause(failure);
    }

    @Test
    void shouldHaveNothingLeftWhileNobodyLooks() throws Exception {
        ask();
        assertThat(leaveElsewhere(answer)).isFalse();
        assertThat(call.beginWatch()).isTrue();
        call.endWatch();
        assertThat(leaveElsewhere(answer)).isFalse();
        assertThat(call).isNotDone();
    }

    @Test
    void shouldLetOnlyTheThreadLookThatHasAsked() throws Exception {
        ask();
        assertThat(call.beginWatch()).isTrue();
        assertThat(leaveElsewhere(answer)).isTrue();
        assertThat(CompletableFuture.supplyAsync(call::beginWatch).get(LIMIT_S, TimeUnit.SECONDS))
                .isFalse();
        call.endWatch();
        assertThat(call.get(LIMIT_S, TimeUnit.SECONDS)).isEqualTo(answer);
    }

    @Test
    void shouldKeepHowItEndedFirst() throws Exception {
        ask();
        assertThat(call.beginWatch()).isTrue();
        assertThat(leaveElsewhere(answer)).isTrue();
        call.completeExceptionally(new ClosedException("closed"));
        call.endWatch();
        assertThat(call).isCompletedExceptionally();
    }

    @RepeatedTest(100)
    void shouldEndWhoeverIsFaster() throws Exception {
        ask();
        assertThat(call.beginWatch()).isTrue();
        CompletableFuture<Void> leaving = CompletableFuture.runAsync(() -> {
            if (!call.leave(answer)) {
                call.end(answer);
            }
        });
        call.look();
        call.endWatch();
        leaving.get(LIMIT_S, TimeUnit.SECONDS);
        assertThat(call.get(LIMIT_S, TimeUnit.SECONDS)).isEqualTo(answer);
    }
}
