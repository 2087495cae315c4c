/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.disni.util.MemoryUtils;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Failures that a device does not show when asked: run by {@link SimulatedDeviceTest}, where calls of the libraries
 * fail on purpose. Nothing may be left of what a failed call had begun.
 */
final class SimulatedFailures {
    private static final int EIO = 5;
    private static final int AF_UNSPEC = 0;
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int AF_IB = 27;
    private static final int NO_ROUTE_PORT = 2;
    private static final int SILENT_PORT = 3;

    /** So many completions the library asks the device for at a time. */
    private static final int POLL_BATCH = 16;

    private List<Integer> before;
    private int simulatedBefore;

    @BeforeEach
    void count() throws IOException {
        Pair.connected().close();
        before = Resources.objectsNow();
        simulatedBefore = Simulation.objects();
    }

    @AfterEach
    void shouldHaveLeftNothing() {
        assertThat(Resources.objectsNow()).isEqualTo(before);
        assertThat(Simulation.objects()).isEqualTo(simulatedBefore);
    }

    private interface Call {
        void on(Peer peer) throws IOException;
    }

    private record Failing(String function, Call call) {
        @Override
        public String toString() {
            return function;
        }
    }

    static Stream<Failing> onABoundId() {
        return Stream.of(
                new Failing("rdma_create_event_channel", peer -> new Peer().close()),
                new Failing("rdma_create_id", peer -> peer.natives._createId(peer.channel, Peer.TCP)),
                new Failing("rdma_listen", peer -> peer.natives._listen(peer.id, 1)),
                new Failing("rdma_resolve_route", peer -> peer.natives._resolveRoute(peer.id, 1)),
                new Failing("rdma_resolve_addr", peer -> peer.resolve(Natives.deviceAddress(), 9)),
                new Failing("rdma_bind_addr", peer -> peer.bind(Natives.deviceAddress(), 0)),
                new Failing("rdma_connect", Peer::connect),
                new Failing("rdma_accept", peer -> peer.natives._accept(peer.id, 0, 0)),
                new Failing("ibv_alloc_pd", peer -> peer.natives._allocPd(peer.context)),
                new Failing("ibv_create_comp_channel", peer -> peer.natives._createCompChannel(peer.context)),
                new Failing("ibv_create_cq", peer -> peer.natives._createCQ(peer.context, peer.compChannel, 4, 0)),
                new Failing("ibv_reg_mr", SimulatedFailures::register),
                new Failing("ibv_req_notify_cq", peer -> peer.natives._reqNotifyCQ(peer.cq, 0)),
                new Failing("ibv_post_send", peer -> peer.sendChain(2, 2)),
                new Failing("ibv_dereg_mr", SimulatedFailures::deregister));
    }

    private static void register(Peer peer) throws IOException {
        long address = peer.regionAddress;
        peer.natives._regMr(peer.pd, address, 64, 7, address, address, address);
    }

    /** Java has marked the region closed, so there is no second attempt. */
    private static void deregister(Peer peer) throws IOException {
        long region = peer.mr;
        peer.mr = -1;
        peer.natives._deregMr(region);
    }

    @ParameterizedTest
    @MethodSource("onABoundId")
    void shouldThrowTheNameOfTheCallAndErrno(Failing failing) throws IOException {
        try (Peer peer = new Peer()) {
            peer.bind(Natives.deviceAddress(), 0);
            peer.allocate(4, 0);
            Simulation.fail(failing.function, EIO);
            assertThatThrownBy(() -> failing.call.on(peer))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(failing.function)
                    .hasMessageContaining("Input/output error (errno 5)");
        }
    }

    @Test
    void shouldThrowWhatMakingAQueuePairSays() throws IOException {
        try (Peer peer = new Peer()) {
            peer.bind(Natives.deviceAddress(), 0);
            Simulation.fail("rdma_create_qp", EIO);
            assertThatThrownBy(() -> peer.allocate(4, 0))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(
                            "rdma_create_qp with 4 send requests, 4 receive requests and 0 bytes inline failed")
                    .hasMessageContaining("errno 5");
        }
    }

    /** P15: 0 means no second attempt, and is what most programs leave in place. */
    @Test
    void shouldPassRetryCountsAsTheyAre() throws IOException {
        int[][] counts = {{0, 0}, {7, 6}, {3, 0}, {8 + 5, 16 + 7}};
        for (int[] count : counts) {
            int passed = (count[0] & 7) * 16 + (count[1] & 7);
            try (Pair pair = new Pair()) {
                pair.client = new Peer();
                pair.client.resolve(pair.address, pair.listener.port());
                pair.client.allocate(4, 0);
                pair.client.natives._connect(pair.client.id, count[0], count[1], 0, (byte) 0);
                assertThat(Simulation.retryCounts()).isEqualTo(passed);
                pair.listener.expectEvent(Peer.CONNECT_REQUEST);
                pair.server = new Peer();
                pair.server.id = pair.listener.eventId;
                pair.server.allocate(4, 0);
                pair.server.natives._accept(pair.server.id, count[1], count[0]);
                assertThat(Simulation.retryCounts()).isEqualTo((count[1] & 7) * 16 + (count[0] & 7));
            }
        }
    }

    /** P15: for libraries that have no means to set them. */
    @Test
    void shouldGiveCountsToThoseThatSetNoneIfTheProcessWantsThat() throws IOException {
        NativeVerbs.mendConnects();
        try (Pair pair = new Pair()) {
            for (int[] count : new int[][] {{0, 0, 6, 6}, {3, 0, 3, 6}, {0, 7, 6, 7}}) {
                try (Peer client = new Peer()) {
                    client.resolve(pair.address, pair.listener.port());
                    client.allocate(4, 0);
                    client.natives._connect(client.id, count[0], count[1], 0, (byte) 0);
                    assertThat(Simulation.retryCounts()).isEqualTo(count[2] * 16 + count[3]);
                }
            }
        } finally {
            VerbsNatives.setDefaultRetries(0);
        }
    }

    /** P28: otherwise it would come back when the queue pair is destroyed only. */
    @Test
    void shouldFlushWhenThePeerDisconnectsAConnectThatWasMended() throws IOException {
        NativeVerbs.mendConnects();
        try (Pair pair = new Pair()) {
            for (int count : new int[] {0, 7}) {
                pair.request(count);
                pair.client.receive(1, 0, 64);
                pair.accept();
                pair.server.natives._disconnect(pair.server.id);
                pair.client.expectEvent(Peer.DISCONNECTED);
                if (count == 0) {
                    assertThat(pair.client.complete())
                            .extracting("wrId", "status")
                            .containsExactly(1L, 5);
                } else {
                    assertThat(pair.client.hasCompletion()).isFalse();
                }
                pair.disconnect();
            }
        } finally {
            VerbsNatives.setDefaultRetries(0);
        }
    }

    /** P23: what Java would read as an IPv4 address has to be one; one that is not known yet is all zeros. */
    @Test
    void shouldNotPassAddressesOfOtherFamilies() throws IOException {
        ByteBuffer buffer = Natives.memory(64);
        long address = MemoryUtils.getAddress(buffer);
        try (Pair pair = Pair.connected()) {
            Peer client = pair.client;
            for (int family : new int[] {AF_INET6, AF_IB}) {
                Simulation.useFamily(family);
                buffer.putLong(0, 4711).putLong(8, 4712);
                assertThat(client.natives._getSrcAddr(client.id, address)).isEqualTo(-1);
                assertThat(client.natives._getDstAddr(client.id, address)).isEqualTo(-1);
                assertThat(buffer.getLong(0)).isEqualTo(4711);
                assertThat(buffer.getLong(8)).isEqualTo(4712);
            }
            for (int family : new int[] {AF_UNSPEC, AF_INET}) {
                Simulation.useFamily(family);
                assertThat(client.natives._getSrcAddr(client.id, address)).isZero();
                assertThat(client.natives._getDstAddr(client.id, address)).isZero();
                assertThat(buffer.getShort(0)).isEqualTo((short) family);
            }
        } finally {
            Simulation.useFamily(AF_INET);
        }
    }

    /** P29, P18: ENOMEM nearly always means the limit on locked memory. */
    @Test
    void shouldNameTheLimitWhereMemoryCannotBeLocked() throws IOException {
        try (Peer peer = new Peer()) {
            peer.bind(Natives.deviceAddress(), 0);
            peer.allocate(4, 0);
            Simulation.fail("ibv_reg_mr", 12);
            assertThatThrownBy(() -> register(peer))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("ibv_reg_mr of 64 bytes")
                    .hasMessageContaining("a limit on locked memory of " + Simulation.MEMLOCK_KIB * 1024 + " bytes")
                    .hasMessageContaining("ulimit -l unlimited")
                    .hasMessageContaining("errno 12");
        }
    }

    /** P19: the chain's second request is the one that failed. */
    @Test
    void shouldCountTheRequestsBeforeTheOneThatFailed() throws IOException {
        try (Pair pair = Pair.connected()) {
            Simulation.fail("ibv_post_send", EIO);
            assertThatThrownBy(() -> pair.client.sendChain(3, 2)).hasMessageContaining("request 1 of the chain");
        }
    }

    @Test
    void shouldPassOnThatPollingFailed() throws IOException {
        try (Pair pair = Pair.connected()) {
            Peer client = pair.client;
            Simulation.fail("ibv_poll_cq", EIO);
            assertThatThrownBy(() -> client.natives._pollCQ(client.cq, 4, client.regionAddress))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("ibv_poll_cq")
                    .hasMessageContaining("Input/output error (errno 5)");
            assertThat(client.natives._pollCQ(client.cq, 4, client.regionAddress))
                    .isZero();
        }
    }

    /** What was taken from the queue would be lost otherwise. */
    @Test
    void shouldGiveWhatWasFoundBeforePollingFailed() throws IOException {
        try (Pair pair = Pair.connected()) {
            Peer client = pair.client;
            for (int i = 0; i < POLL_BATCH; i++) {
                pair.server.receive(i, 0, 64);
                client.send(i, 2, 2, 0, 8, 0, 0);
            }
            Simulation.fail("ibv_poll_cq", EIO, 1);
            assertThat(client.natives._pollCQ(client.cq, 2 * POLL_BATCH, client.regionAddress))
                    .isEqualTo(POLL_BATCH);
            assertThat(Simulation.isToFail()).as("a second batch was asked for").isFalse();
        }
    }

    /** P12: a failure that lasts does not take a whole processor. */
    @Test
    void shouldPauseWhenEventsCannotBeRead() throws IOException {
        try (Pair pair = Pair.connected()) {
            pair.client.natives._disconnect(pair.client.id);
            Simulation.fail("rdma_get_cm_event", EIO);
            long start = System.nanoTime();
            assertThat(pair.listener.nextEvent(-1)).isEqualTo(-1);
            assertThat(System.nanoTime() - start).isGreaterThan(50_000_000L);
            pair.listener.expectEvent(Peer.DISCONNECTED);
        }
    }

    /** P17: the simulated device leaves the opcode of a failed completion as it is. */
    @Test
    void shouldNotShowTheOpcodeOfAnEarlierCompletion() throws IOException {
        try (Pair pair = Pair.connected()) {
            Peer server = pair.server;
            server.receive(1, 0, 64);
            pair.client.send(2, 2, 2, 0, 8, 0, 0);
            assertThat(server.complete().opcode()).isEqualTo(128);
            server.receive(3, 0, 64);
            server.natives._disconnect(server.id);
            assertThat(server.complete()).extracting("wrId", "status", "opcode").containsExactly(3L, 5, 0);
        }
    }

    /** P3: the endpoint is woken by the event that it waits for, and what it does next says what is wrong. */
    @Test
    void shouldTellThatNoRouteLeadsThere() throws IOException {
        try (Peer peer = new Peer()) {
            assertThatThrownBy(() -> {
                        peer.resolve(Natives.deviceAddress(), NO_ROUTE_PORT);
                        peer.natives._getContext(peer.id);
                    })
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("getContext failed: ")
                    .hasMessageContaining(
                            "127.0.0.1 port 2: RDMA_CM_EVENT_ROUTE_ERROR, status -110 (Connection timed out)");
            assertThatThrownBy(() -> peer.natives._resolveRoute(peer.id, 1)).hasMessageContaining("ROUTE_ERROR");
            assertThatThrownBy(peer::connect).hasMessageContaining("ROUTE_ERROR");
        }
    }

    @Test
    void shouldTellThatAnAddressCannotBeResolved() throws IOException {
        try (Peer peer = new Peer()) {
            assertThatThrownBy(() -> peer.resolve(InetAddress.getByName("127.0.0.7"), 9))
                    .isInstanceOf(AssertionError.class); // event 2 in place of 0
            assertThatThrownBy(() -> peer.natives._getContext(peer.id))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("getContext failed: ")
                    .hasMessageContaining("127.0.0.7 port 9: RDMA_CM_EVENT_ADDR_ERROR, status -113 (No route to host)");
        }
    }

    /** P3: others that are answered without a pause do not keep the channel from looking at the one that is not. */
    @Test
    void shouldGiveUpAConnectThatIsNotAnsweredWhileOtherEventsArrive() throws IOException {
        try (Peer peer = new Peer()) {
            peer.resolve(Natives.deviceAddress(), SILENT_PORT);
            peer.allocate(4, 0);
            peer.connect();
            long silent = peer.id;
            peer.createId();
            long endNs = System.nanoTime() + Peer.PATIENCE_MS * 1_000_000L;
            int event;
            do {
                peer.beginToResolve(Natives.deviceAddress(), SILENT_PORT);
                event = peer.nextEvent(Peer.PATIENCE_MS);
            } while (event == Peer.ADDR_RESOLVED && System.nanoTime() < endNs);
            assertThat(event).isEqualTo(Peer.DISCONNECTED);
            assertThat(peer.eventId).isEqualTo(silent);
        }
    }

    /** Neither the simulated device nor a software device can do it. */
    @Test
    void shouldThrowWhereMemoryCannotBePrefetched() throws IOException {
        try (Peer peer = new Peer()) {
            peer.bind(Natives.deviceAddress(), 0);
            peer.allocate(4, 0);
            assertThatThrownBy(() -> peer.natives._expPrefetchMr(peer.mr, peer.regionAddress, 64))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("ibv_advise_mr of 64 bytes")
                    .hasMessageContaining("errno 95");
            assertThatThrownBy(() -> peer.natives._expPrefetchMr(peer.mr, peer.regionAddress, -1))
                    .hasMessageContaining("errno 22");
        }
    }

    /** P3: a removed device ends the wait of both ends; the listener alone is told the event itself. */
    @Test
    void shouldTellThatTheDeviceIsGone() throws IOException {
        try (Pair pair = Pair.connected()) {
            pair.server.receive(1, 0, 64);
            Simulation.removeDevice();
            pair.client.expectEvent(Peer.DISCONNECTED);
            pair.listener.expectEvent(Peer.DISCONNECTED);
            assertThat(pair.listener.eventId).isEqualTo(pair.server.id);
            pair.listener.expectEvent(Peer.DEVICE_REMOVAL);
            assertThat(pair.listener.eventId).isEqualTo(pair.listener.id);
            assertThat(pair.server.complete()).extracting("wrId", "status").containsExactly(1L, 5);
            assertThatThrownBy(() -> pair.client.send(1, 2, 2, 0, 8, 0, 0))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("RDMA_CM_EVENT_DEVICE_REMOVAL, status 0 (the device was removed)");
        }
    }

    @Test
    void shouldCloseWhileAConnectIsNotAnswered() throws IOException {
        try (Peer peer = new Peer()) {
            peer.resolve(Natives.deviceAddress(), SILENT_PORT);
            peer.allocate(4, 0);
            peer.connect();
            assertThat(peer.nextEvent(0)).isEqualTo(-1);
        }
    }

    @Test
    void shouldTellTheServerThatItsClientIsGone() throws IOException {
        try (Pair pair = new Pair()) {
            pair.request();
            pair.client.close();
            pair.client = null;
            pair.server = new Peer();
            pair.server.id = pair.listener.eventId;
            pair.server.allocate(4, 0);
            pair.server.natives._accept(pair.server.id, 7, 7);
            pair.listener.expectEvent(Peer.DISCONNECTED);
            assertThat(pair.listener.eventId).isEqualTo(pair.server.id);
            assertThat(pair.listener.eventListener).isEqualTo(-1);
            assertThatThrownBy(() -> pair.server.send(1, 2, 2, 0, 8, 0, 0))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("RDMA_CM_EVENT_CONNECT_ERROR");
        }
    }
}
