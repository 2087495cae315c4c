/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.crail.CrailPath;
import org.apache.crail.error.BlocksPendingException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InternalErrorException;
import org.apache.crail.error.SessionLostException;
import org.apache.crail.interleaving.Interleavings;
import org.apache.crail.interleaving.Threads;
import org.apache.crail.rpc.client.PlayedNamenode.Line;
import org.apache.crail.rpc.message.PingRequest;
import org.apache.crail.rpc.message.PingResponse;
import org.apache.crail.rpc.message.RemoveRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls whose answers, limits and connections end at the same time. */
@Tag("fray")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class CallInterleavingTest {
    private static final int TIMES = 1_000;

    /** Longer than the connection waits between two looks for late calls. */
    private static final long SWEEP_MS = 100;

    private static CompletableFuture<PingResponse> ping(PlayedNamenode namenode, int number) {
        return namenode.connection.call(new PingRequest(number));
    }

    private static void assertThatItEnded(CompletableFuture<PingResponse> call, int number) throws Exception {
        assertThat(call).isDone();
        try {
            assertThat(call.get().number()).isEqualTo(number + 1);
        } catch (ExecutionException e) {
            assertThat(e.getCause()).isInstanceOf(CrailException.class).isNotInstanceOf(InternalErrorException.class);
        }
    }

    @Test
    void shouldEndEachCallWhateverComesFirst() {
        Interleavings.explore(TIMES, PlayedNamenode::open, namenode -> {
            Line line = namenode.line(0);
            CompletableFuture<PingResponse> early = ping(namenode, 1);
            AtomicReference<CompletableFuture<PingResponse>> late = new AtomicReference<>();
            new Threads()
                    .add("answer", line::answer)
                    .add("limit", () -> namenode.surroundings.pass(PlayedNamenode.LIMIT_MS))
                    .add("loss", line::end)
                    .add("caller", () -> late.set(ping(namenode, 2)))
                    .add("close", namenode.connection::close)
                    .run();
            namenode.surroundings.join();
            assertThatItEnded(early, 1);
            assertThatItEnded(late.get(), 2);
        });
    }

    @Test
    void shouldEndCallsThatArePutOffWhenTheConnectionIsClosed() {
        Interleavings.explore(TIMES, PlayedNamenode::open, namenode -> {
            Line line = namenode.line(0);
            CompletableFuture<PingResponse> call = ping(namenode, 1);
            new Threads()
                    .add("answer", () -> line.refuse(new BlocksPendingException("none is free yet")))
                    .add("sweep", () -> namenode.surroundings.pass(SWEEP_MS))
                    .add("close", namenode.connection::close)
                    .run();
            assertThatItEnded(call, 1);
        });
    }

    @Test
    void shouldAnswerCallsThatWerePutOffOrLostWithWhatTheyAskedFor() {
        Interleavings.explore(TIMES, PlayedNamenode::open, namenode -> {
            Line line = namenode.line(0);
            CompletableFuture<PingResponse> first = ping(namenode, 10);
            CompletableFuture<PingResponse> second = ping(namenode, 20);
            AtomicReference<CompletableFuture<PingResponse>> third = new AtomicReference<>();
            line.refuse(new BlocksPendingException("none is free yet"));
            new Threads()
                    .add("sweep", () -> namenode.surroundings.pass(SWEEP_MS))
                    .add("other sweep", () -> namenode.surroundings.pass(SWEEP_MS))
                    .add("answer", line::answer)
                    .add("loss", line::end)
                    .add("caller", () -> third.set(ping(namenode, 30)))
                    .run();
            settle(namenode, first, 10);
            settle(namenode, second, 20);
            settle(namenode, third.get(), 30);
        });
    }

    private static void settle(PlayedNamenode namenode, CompletableFuture<PingResponse> call, int number)
            throws Exception {
        namenode.settle(call);
        assertThat(call.get().number()).isEqualTo(number + 1);
    }

    @Test
    void shouldSendACallThatComesWhileAConnectionOpens() {
        Interleavings.explore(TIMES, PlayedNamenode::open, namenode -> {
            CompletableFuture<PingResponse> before = ping(namenode, 10);
            namenode.line(0).end();
            namenode.surroundings.pass(SWEEP_MS);
            Line next = namenode.line(1);
            AtomicReference<CompletableFuture<PingResponse>> call = new AtomicReference<>();
            new Threads()
                    .add("greeting", next::answer)
                    .add("caller", () -> call.set(ping(namenode, 20)))
                    .run();
            settle(namenode, before, 10);
            settle(namenode, call.get(), 20);
        });
    }

    @Test
    void shouldTakeACallWhileTheSessionIsRenewed() {
        Interleavings.explore(TIMES, PlayedNamenode::open, namenode -> {
            Line line = namenode.line(0);
            CompletableFuture<?> sent = namenode.connection.call(new RemoveRequest(CrailPath.parse("/a"), true));
            AtomicReference<CompletableFuture<PingResponse>> call = new AtomicReference<>();
            new Threads()
                    .add("answer", () -> line.refuse(new SessionLostException("forgotten")))
                    .add("caller", () -> call.set(ping(namenode, 10)))
                    .run();
            assertThatThrownBy(sent::get).hasCauseInstanceOf(SessionLostException.class);
            namenode.settle(call.get());
            assertThatItEnded(call.get(), 10);
        });
    }
}
