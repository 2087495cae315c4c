/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Room for calls and for the bytes that they hold: who gets it, and in which order. */
class CallBoundTest {
    private final CallBound bound = new CallBound(4, 100);

    private List<CompletableFuture<Void>> enter(int count, long size) {
        List<CompletableFuture<Void>> rooms = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rooms.add(bound.enter(size));
        }
        return rooms;
    }

    @Test
    void shouldHaveRoomUpToTheBound() {
        assertThat(enter(4, 25)).allMatch(CompletableFuture::isDone);
        assertThat(bound.calls()).isEqualTo(4);
        assertThat(bound.bytes()).isEqualTo(100);
        assertThat(bound.enter(0)).isNotDone();
    }

    @Test
    void shouldLetCallsBeginWhenHalfIsFree() {
        enter(4, 0);
        List<CompletableFuture<Void>> waiting = enter(3, 0);
        bound.leave(0);
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        bound.leave(0);
        assertThat(waiting.get(0)).isDone();
        assertThat(waiting.get(1)).isDone();
        assertThat(waiting.get(2)).isNotDone();
        assertThat(bound.calls()).isEqualTo(4);
    }

    @Test
    void shouldLetNobodyOvertake() {
        enter(1, 80);
        CompletableFuture<Void> first = bound.enter(30);
        CompletableFuture<Void> second = bound.enter(0);
        assertThat(first).isNotDone();
        assertThat(second).as("that would fit").isNotDone();
        bound.leave(80);
        assertThat(first).isDone();
        assertThat(second).isDone();
        assertThat(bound.bytes()).isEqualTo(30);
    }

    @Test
    void shouldFindRoomForOneOfAnyLength() {
        assertThat(bound.enter(1_000)).isDone();
        CompletableFuture<Void> another = bound.enter(2_000);
        CompletableFuture<Void> shortOne = bound.enter(1);
        assertThat(another).isNotDone();
        bound.leave(1_000);
        assertThat(another).isDone();
        assertThat(shortOne).isNotDone();
        bound.leave(2_000);
        assertThat(shortOne).isDone();
        bound.leave(1);
        assertThat(bound.calls()).isZero();
        assertThat(bound.bytes()).isZero();
    }

    @Test
    void shouldServeCallsInFlightBeforeFurtherOnes() {
        enter(3, 0);
        assertThat(bound.hold(90)).isDone();
        CompletableFuture<Void> held = bound.hold(20);
        CompletableFuture<Void> heldToo = bound.hold(1);
        CompletableFuture<Void> further = bound.enter(0);
        assertThat(held).isNotDone();
        assertThat(heldToo).as("that would fit").isNotDone();
        assertThat(further).as("that would fit").isNotDone();
        bound.leave(90);
        assertThat(held).isDone();
        assertThat(heldToo).isDone();
        assertThat(further).isDone();
        assertThat(bound.calls()).isEqualTo(3);
        assertThat(bound.bytes()).isEqualTo(21);
    }

    /** It gives back what it holds before it waits, so that two of them do not wait for each other. */
    @Test
    void shouldLetACallHoldMoreThanBefore() {
        enter(2, 50);
        bound.release(50);
        CompletableFuture<Void> more = bound.hold(60);
        assertThat(more).isNotDone();
        bound.release(50);
        assertThat(more).isDone();
        assertThat(bound.hold(60)).isNotDone();
        bound.leave(60);
        assertThat(bound.bytes()).isEqualTo(60);
    }

    @Test
    void shouldNotNestCallsThatEndWhenTheyBegin() {
        enter(4, 0);
        int waiting = 100_000;
        int[] ended = new int[1];
        for (int i = 0; i < waiting; i++) {
            CompletableFuture<?> ignored = bound.enter(0).thenRun(() -> {
                ended[0]++;
                bound.leave(0);
            });
        }
        for (int i = 0; i < 4; i++) {
            bound.leave(0);
        }
        assertThat(ended[0]).isEqualTo(waiting);
        assertThat(bound.calls()).isZero();
    }
}
