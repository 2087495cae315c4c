/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Memory, handles and descriptors that cannot be had: run by {@link SimulatedDeviceTest} in a JVM of its own. Each call
 * of an operation that asks for them fails in turn; the operation says so, leaves nothing behind, and works when it is
 * tried again.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class SimulatedExhaustion {
    private static final int ENOMEM = 12;
    private static final int EMFILE = 24;

    private interface Operation {
        void on(Peer peer) throws IOException;
    }

    private record Case(String name, String function, int errno, int calls, Operation operation) {
        @Override
        public String toString() {
            return function + " in " + name;
        }
    }

    private static Stream<Case> using(String name, int allocations, int handles, Operation operation) {
        return Stream.of(
                new Case(name, "calloc", ENOMEM, allocations, operation),
                new Case(name, "handle_create", ENOMEM, handles, operation));
    }

    /** P32: also one that cannot be told not to block. */
    private static Stream<Case> descriptors(String name, Operation operation) {
        return Stream.of(
                new Case(name, "eventfd", EMFILE, 1, operation), new Case(name, "fcntl", EMFILE, 2, operation));
    }

    static Stream<Case> cases() {
        return Stream.of(
                        using("createEventChannel", 1, 1, SimulatedExhaustion::openChannel),
                        descriptors("createEventChannel", SimulatedExhaustion::openChannel),
                        using("createId", 1, 1, peer -> destroy(peer, peer.natives._createId(peer.channel, Peer.TCP))),
                        using("allocPd", 1, 1, peer -> peer.natives._deallocPd(peer.natives._allocPd(peer.context))),
                        using("createCompChannel", 1, 1, SimulatedExhaustion::openCompletionChannel),
                        descriptors("createCompChannel", SimulatedExhaustion::openCompletionChannel),
                        using("createCQ", 1, 1, SimulatedExhaustion::makeQueue),
                        using("createQP", 1, 1, SimulatedExhaustion::makeQueuePair),
                        using("regMr", 1, 1, SimulatedExhaustion::register))
                .flatMap(all -> all);
    }

    private static void openChannel(Peer peer) throws IOException {
        peer.natives._destroyEventChannel(peer.natives._createEventChannel());
    }

    private static void destroy(Peer peer, long id) {
        peer.natives._destroyCmId(id);
    }

    private static void openCompletionChannel(Peer peer) throws IOException {
        peer.natives._destroyCompChannel(peer.natives._createCompChannel(peer.context));
    }

    private static void makeQueue(Peer peer) throws IOException {
        peer.natives._destroyCQ(peer.natives._createCQ(peer.context, peer.compChannel, 4, 0));
    }

    private static void makeQueuePair(Peer peer) throws IOException {
        peer.natives._createQP(peer.id, peer.pd, peer.cq, peer.cq, 2, 4, 4, 0);
        assertThat(peer.natives._destroyQP(peer.id)).isZero();
    }

    private static void register(Peer peer) throws IOException {
        long address = peer.regionAddress;
        peer.natives._deregMr(peer.natives._regMr(peer.pd, address, 64, 7, address, address, address));
    }

    /** What there is of everything. */
    private static List<Integer> held() throws IOException {
        List<Integer> held = new ArrayList<>(Resources.objectsNow());
        held.add(Simulation.objects());
        held.add(Simulation.allocations());
        held.add((int) Resources.descriptors());
        return held;
    }

    /** The first one, since the device's context is made once in a process and stays. */
    @Test
    @Order(1)
    void shouldMakeTheContextOfADeviceWhenThereIsMemoryAgain() throws IOException {
        try (Peer peer = new Peer()) {
            peer.bind(Natives.deviceAddress(), 0);
            for (String function : List.of("calloc", "handle_create")) {
                List<Integer> before = held();
                Simulation.fail(function, ENOMEM);
                assertThatThrownBy(() -> peer.natives._getContext(peer.id))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("getContext")
                        .hasMessageContaining("errno 12");
                assertThat(held()).isEqualTo(before);
            }
            long context = peer.natives._getContext(peer.id);
            assertThat(context).isPositive();
            assertThat(peer.natives._getContext(peer.id)).isEqualTo(context);
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    @Order(2)
    void shouldGiveEverythingBackWhenItFails(Case one) throws IOException {
        List<Integer> atFirst = held();
        try (Peer peer = new Peer()) {
            peer.bind(Natives.deviceAddress(), 0);
            peer.allocateWithoutQueuePair(4);
            failInTurn(one, peer);
        }
        assertThat(held()).as("when all is closed").isEqualTo(atFirst);
    }

    private static void failInTurn(Case one, Peer peer) throws IOException {
        one.operation.on(peer);
        List<Integer> before = held();
        for (int call = 0; call < one.calls; call++) {
            Simulation.fail(one.function, one.errno, call);
            assertThatThrownBy(() -> one.operation.on(peer))
                    .as("call %d", call)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("errno " + one.errno);
            assertThat(held()).as("after call %d", call).isEqualTo(before);
        }
        Simulation.fail(one.function, one.errno, one.calls);
        one.operation.on(peer);
        assertThat(Simulation.isToFail())
                .as("more calls of %s than expected", one.function)
                .isTrue();
        Simulation.fail(one.function, 0, 0);
    }

    /** A request that cannot be taken in is refused, and the listener lives on. */
    @ParameterizedTest
    @MethodSource("ofRequests")
    @Order(3)
    void shouldRefuseARequestForWhichThereIsNoMemory(String function) throws IOException {
        List<Integer> atFirst = held();
        try (Pair pair = new Pair()) {
            InetAddress address = Natives.deviceAddress();
            List<Integer> before = held();
            try (Peer client = new Peer()) {
                client.resolve(address, pair.listener.port());
                client.allocate(4, 0);
                client.connect();
                Simulation.fail(function, ENOMEM);
                assertThat(pair.listener.nextEvent(0)).isEqualTo(-1);
                assertThat(Simulation.isToFail()).isFalse();
                client.expectEvent(Peer.DISCONNECTED);
                assertThatThrownBy(() -> client.send(1, 2, 2, 0, 8, 0, 0)).hasMessageContaining("the peer refused it");
            }
            assertThat(held()).isEqualTo(before);

            pair.connect();
        }
        assertThat(held()).as("when all is closed").isEqualTo(atFirst);
    }

    static Stream<String> ofRequests() {
        return Stream.of("calloc", "handle_create");
    }
}
