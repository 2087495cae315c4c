/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.AddressTakenException;
import org.apache.crail.error.DatanodeNotRegisteredException;
import org.apache.crail.error.DatanodeReplacedException;
import org.apache.crail.rpc.message.RegisterRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatanodeTest {
    private final FakeNamenode namenode = new FakeNamenode();
    private final CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();

    private Datanode start(String bound) throws Exception {
        conf.set(CrailKeys.STORAGE_TYPES.name(), FakeTier.class.getName());
        conf.set(CrailKeys.NAMENODE_ADDRESS.name(), "crail://127.0.0.1:9060");
        conf.set(CrailKeys.STORAGE_KEEPALIVE.name(), "10ms");
        return Datanode.start(conf, namenode, null, -1, List.of(bound));
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.2, 127.0.0.2", "0.0.0.0, 127.0.0.1", "::, 127.0.0.1", "::1, 0:0:0:0:0:0:0:1"})
    void shouldAdvertiseTheAddressThatItBindsUnlessItBindsAll(String bound, String advertised) throws Exception {
        try (Datanode datanode = start(bound)) {
            assertThat(datanode.info().host()).isEqualTo(advertised);
        }
    }

    @Test
    void shouldAdvertiseWhatTheConfigurationSays() throws Exception {
        conf.set(CrailKeys.DATANODE_HOST.name(), "datanode-7");
        try (Datanode datanode = start("127.0.0.2")) {
            assertThat(datanode.info().host()).isEqualTo("datanode-7");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void shouldRegisterEverythingAgainAlsoWhenThatFailsHalfWay(int succeeding) throws Exception {
        try (Datanode datanode = start("127.0.0.1")) {
            assertThat(datanode.capacityBytes()).isEqualTo(3 << 20);

            namenode.restart(succeeding);

            while (namenode.registered.size() < 3) {
                Thread.onSpinWait();
            }
            assertThat(namenode.registered).containsExactlyInAnyOrder(0L, 1L << 20, 2L << 20);
        }
    }

    @AfterEach
    void resetTier() {
        FakeTier.beforeSecondRegion = () -> {};
        FakeTier.comparesEpochs = false;
        FakeTier.admitted = 0;
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }

    @Test
    @Timeout(60)
    void shouldBeatWhileItAllocatesItsFurtherRegions() throws Exception {
        FakeTier.beforeSecondRegion = () -> await(() -> namenode.heartbeats.get() >= 2);
        try (Datanode datanode = start("127.0.0.1")) {
            assertThat(datanode.capacityBytes()).isEqualTo(3 << 20);
        }
    }

    @Test
    @Timeout(60)
    void shouldWaitForTheAddressOfOneThatWasKilled() throws Exception {
        namenode.refusal = new AddressTakenException("taken");
        Thread missed = new Thread(() -> {
            await(() -> namenode.requests.size() >= 3);
            namenode.refusal = null;
        });
        missed.start();
        try (Datanode datanode = start("127.0.0.1")) {
            assertThat(namenode.registered).hasSize(3);
            assertThat(datanode.replaced()).isNotDone();
        }
        missed.join();
    }

    @Test
    @Timeout(60)
    void shouldNotStartWhenItsAddressStaysTaken() {
        namenode.refusal = new AddressTakenException("host:1 and another one");
        assertThatThrownBy(() -> start("127.0.0.1"))
                .isInstanceOf(AddressTakenException.class)
                .hasMessageContaining("host:1 and another one");
    }

    @Test
    @Timeout(60)
    void shouldSayThatItMustEndWhenItHasBeenReplaced() throws Exception {
        try (Datanode datanode = start("127.0.0.1")) {
            namenode.heartbeatRefusal = new DatanodeReplacedException("a later one");
            assertThat(datanode.replaced().get()).isInstanceOf(DatanodeReplacedException.class);
        }
        int beats = namenode.heartbeats.get();
        namenode.heartbeatRefusal = null;
        assertThat(namenode.heartbeats).as("it signs nobody off").hasValue(beats);
    }

    @Test
    @Timeout(60)
    void shouldSayThatItMustEndWhenALiveOneKeepsItsAddress() throws Exception {
        try (Datanode datanode = start("127.0.0.1")) {
            namenode.refusal = new AddressTakenException("another one");
            namenode.heartbeatRefusal = new DatanodeNotRegisteredException("registered with another incarnation");
            assertThat(datanode.replaced().get()).isInstanceOf(AddressTakenException.class);
        }
    }

    @Test
    @Timeout(60)
    void shouldAdmitEpochsBeforeBlocksGetThemAndAskForHigherOnesTheNextTime() throws Exception {
        FakeTier.comparesEpochs = true;
        namenode.epochLimit = 100;
        try (Datanode datanode = start("127.0.0.1")) {
            assertThat(FakeTier.admitted).isEqualTo(100);
            assertThat(namenode.requests.get(0).epochLimit()).isZero();
            assertThat(namenode.requests.get(1).epochLimit()).isEqualTo(100);
            namenode.requests.clear();
            namenode.epochLimit = 250;

            namenode.restart(-1);
            await(() -> namenode.registered.size() == 3);

            assertThat(FakeTier.admitted).isEqualTo(250);
            assertThat(namenode.requests).allMatch(request -> request.epochAfter() == 100 && request.inUse());
            assertThat(datanode.replaced()).isNotDone();
        }
    }

    @Test
    @Timeout(60)
    void shouldTellAnotherNamenodeThatClientsMayKnowItsRegions() throws Exception {
        try (Datanode datanode = start("127.0.0.1")) {
            assertThat(namenode.requests).noneMatch(RegisterRequest::inUse);
            namenode.requests.clear();

            namenode.restart(-1);
            await(() -> namenode.registered.size() == 3);

            assertThat(namenode.requests).allMatch(RegisterRequest::inUse);
            assertThat(datanode.replaced()).isNotDone();
        }
    }

    @Test
    @Timeout(60)
    void shouldSendHeartbeatsOnAfterAnErrorInOne() throws Exception {
        try (Datanode datanode = start("127.0.0.1")) {
            assertThat(datanode.capacityBytes()).isEqualTo(3 << 20);
            FakeTier.FAILURES.set(3);
            while (FakeTier.FAILURES.get() > 0) {
                Thread.onSpinWait();
            }

            namenode.restart(-1);

            while (namenode.registered.size() < 3) {
                Thread.onSpinWait();
            }
        } finally {
            FakeTier.FAILURES.set(0);
        }
    }

    /** The first close gives its heartbeats up, and the thread with them. */
    @Test
    @Timeout(60)
    void shouldCloseAgainWhenItCouldNotSignOffInTime() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        namenode.beforeSignOff = () -> awaitUninterruptibly(answer);
        Datanode datanode = start("127.0.0.1");
        datanode.close();
        assertThat(namenode.closes).hasValue(1);

        datanode.close();

        assertThat(namenode.closes).hasValue(2);
        answer.countDown();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
