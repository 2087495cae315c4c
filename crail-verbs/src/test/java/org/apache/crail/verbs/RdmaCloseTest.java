/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** P2, P5, P11, P26: closing in any order and twice, on a device. Nothing may crash, hang or stay behind. */
@Tag("rdma")
final class RdmaCloseTest {
    private static final long SEED = 20_261_121;
    private static final int RACES = 50;
    private static final int QUEUE_PAIRS = Simulation.isPresent() ? 20_000 : 100;
    private static final int MOST_IDS = 100_000_000;

    private Resources before;

    @BeforeEach
    void count() throws Exception {
        Pair.connected().close(); // opens the device, which stays open
        before = Resources.now();
    }

    @AfterEach
    void shouldHaveLeftNothing() throws Exception {
        Resources.now().assertNothingAddedTo(before);
    }

    /** A native method that destroys something of a peer. */
    private interface Destroy {
        void of(Peer peer) throws IOException;
    }

    private static List<Destroy> all() {
        return List.of(
                peer -> peer.natives._deregMr(peer.mr),
                peer -> check(peer.natives._destroyQP(peer.id)),
                peer -> check(peer.natives._destroyCmId(peer.id)),
                peer -> check(peer.natives._destroyEp(peer.id)),
                peer -> check(peer.natives._destroyCompChannel(peer.compChannel)),
                peer -> check(peer.natives._destroyCQ(peer.cq)),
                peer -> check(peer.natives._deallocPd(peer.pd)),
                peer -> check(peer.natives._destroyEventChannel(peer.channel)));
    }

    private static void check(int result) throws IOException {
        if (result != 0) {
            throw new IOException("it returned " + result);
        }
    }

    @Test
    void shouldDestroyInAnyOrderAndRefuseToDoItTwice() throws Exception {
        Random random = new Random(SEED);
        for (int round = 0; round < 150; round++) {
            Peer peer = new Peer();
            peer.bind(Natives.deviceAddress(), 0);
            peer.allocate(4, 0);
            List<Destroy> order = new ArrayList<>(all());
            Collections.shuffle(order, random);
            for (Destroy destroy : order) {
                ignoreFailure(destroy, peer);
                assertThatThrownBy(() -> destroy.of(peer)).isInstanceOf(IOException.class);
            }
            Resources.assertNoMore(Resources.objectsNow(), before.objects());
        }
    }

    /** An id is destroyed by either of two methods, and with its event channel. */
    private static void ignoreFailure(Destroy destroy, Peer peer) {
        try {
            destroy.of(peer);
        } catch (IOException e) {
            assertThat(e).hasMessageStartingWith("it returned -1");
        }
    }

    @Test
    void shouldDestroyBothEndsOfAConnectionInAnyOrder() throws Exception {
        Random random = new Random(SEED);
        for (int round = 0; round < 25; round++) {
            Pair pair = Pair.connected();
            for (int i = 0; i < 4; i++) {
                pair.server.receive(i, 0, 64);
            }
            pair.client.sendChain(3, 2);
            List<Runnable> order = new ArrayList<>();
            for (Peer peer : List.of(pair.client, pair.server, pair.listener)) {
                all().forEach(destroy -> order.add(() -> ignoreFailures(destroy, peer)));
            }
            Collections.shuffle(order, random);
            order.forEach(Runnable::run);
        }
    }

    private static void ignoreFailures(Destroy destroy, Peer peer) {
        try {
            destroy.of(peer);
        } catch (IOException e) {
            assertThat(e.getMessage()).containsAnyOf("it returned -1", "is not an open");
        }
    }

    /** P1, P4: destroying waits for acknowledgements, of which none is ever missing. */
    @Test
    void shouldDestroyWithEventsThatNobodyHasTaken() throws Exception {
        Pair pair = new Pair();
        for (int i = 0; i < 3; i++) {
            pair.client = new Peer();
            pair.client.resolve(pair.address, pair.listener.port());
            pair.client.allocate(4, 0);
            pair.client.connect();
            if (i < 2) {
                pair.client.close(); // its request waits at the listener
            }
        }
        pair.listener.expectEvent(Peer.CONNECT_REQUEST); // taken, but not answered
        pair.listener.natives._destroyCmId(pair.listener.id);
        pair.close();

        pair = Pair.connected();
        pair.client.natives._reqNotifyCQ(pair.client.cq, 0);
        pair.client.send(1, 0, 2, 0, 8, pair.server.regionAddress, pair.server.rkey);
        pair.client.complete(); // its event is not taken
        pair.client.natives._disconnect(pair.client.id);
        pair.close();
    }

    @Test
    void shouldRefuseEveryUseOfWhatIsClosed() throws Exception {
        Pair pair = Pair.connected();
        Peer peer = pair.client;
        pair.close();
        assertThatThrownBy(() -> peer.send(1, 2, 2, 0, 8, 0, 0)).hasMessageContaining("is not an open queue pair");
        assertThatThrownBy(() -> peer.receive(1, 0, 8)).hasMessageContaining("is not an open queue pair");
        assertThatThrownBy(peer::complete).hasMessageContaining("is not an open completion queue");
        assertThatThrownBy(peer::connect).hasMessageContaining("is not an open connection id");
        assertThatThrownBy(peer::createId).hasMessageContaining("is not an open event channel");
        assertThatThrownBy(() -> peer.natives._getCqEvent(peer.compChannel, -1))
                .hasMessageContaining("is not an open completion channel");
        assertThatThrownBy(() -> peer.natives._getPdHandle(peer.pd))
                .hasMessageContaining("is not an open protection domain");
        assertThat(peer.natives._disconnect(peer.id)).isEqualTo(-1);
    }

    /** P6: a number that was used for an id never stands for another one. */
    @Test
    void shouldNeverUseAHandleTwice() throws Exception {
        try (Peer peer = new Peer()) {
            List<Long> handles = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                peer.createId();
                handles.add(peer.id);
                assertThat(peer.natives._destroyCmId(peer.id)).isZero();
            }
            assertThat(handles).doesNotHaveDuplicates().allMatch(handle -> handle > 0);
        }
    }

    /** Threads post and poll while what they use is destroyed under them. */
    @Test
    void shouldSurvivePostingAndPollingWhileOthersDestroy() throws Exception {
        for (int round = 0; round < 10; round++) {
            Pair pair = Pair.connected();
            Peer peer = pair.client;
            List<Thread> threads = List.of(
                    use(() -> peer.natives._pollCQ(peer.cq, 1, peer.regionAddress)),
                    use(() -> peer.receive(1, 0, 64)),
                    use(() -> peer.natives._getQpNum(peer.qp)));
            assertThat(peer.natives._getQpNum(peer.qp)).isPositive();
            pair.close();
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    /** A queue pair belongs to its id, and an id to its channel, before the thread that makes it knows its handle. */
    @Test
    void shouldSurviveCreatingAQueuePairWhileAnotherThreadDestroysIt() throws Exception {
        try (Peer peer = new Peer()) {
            peer.bind(Natives.deviceAddress(), 0);
            peer.allocateWithoutQueuePair(8);
            AtomicBoolean done = new AtomicBoolean();
            List<Thread> destroy = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                destroy.add(until(() -> peer.natives._destroyQP(peer.id) != 0 && done.get()));
            }
            long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
            try {
                for (int i = 0; i < QUEUE_PAIRS && System.nanoTime() < endNs; i++) {
                    createQueuePair(peer);
                }
            } finally {
                done.set(true);
            }
            for (Thread thread : destroy) {
                thread.join();
            }
        }
    }

    private static void createQueuePair(Peer peer) throws IOException {
        try {
            assertThat(peer.natives._createQP(peer.id, peer.pd, peer.cq, peer.cq, 2, 4, 4, 0))
                    .isPositive();
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("for an id that has a queue pair");
        }
    }

    @Test
    void shouldSurviveCreatingAnIdWhileAnotherThreadDestroysItsChannel() throws Exception {
        for (int round = 0; round < RACES; round++) {
            try (Peer peer = new Peer()) {
                Thread destroys = until(() -> peer.natives._destroyEventChannel(peer.channel) == 0);
                assertThatThrownBy(() -> {
                            for (int i = 0; i < MOST_IDS; i++) {
                                peer.createId();
                                assertThat(peer.id).isPositive();
                                peer.natives._destroyCmId(peer.id);
                            }
                        })
                        .isInstanceOf(IOException.class)
                        .hasMessageStartingWith("rdma_create_id failed: ");
                destroys.join();
            }
        }
    }

    private static Thread until(BooleanSupplier done) {
        Thread thread = new Thread(
                () -> {
                    while (!done.getAsBoolean()) {
                        Thread.onSpinWait();
                    }
                },
                "destroys");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private interface Use {
        void run() throws IOException;
    }

    /** Does it until the handle is closed. */
    private static Thread use(Use use) {
        Thread thread = new Thread(
                () -> {
                    boolean open = true;
                    while (open) {
                        try {
                            use.run();
                        } catch (IOException e) {
                            open = !e.getMessage().contains("is not an open");
                        }
                    }
                },
                "uses");
        thread.start();
        return thread;
    }
}
