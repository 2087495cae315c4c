/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.BufferExhaustedException;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.Region;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NvmfStorageServerTest {
    private static final int BLOCK = 64 * 1024;

    private final CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
    private final FakeTarget target = new FakeTarget();

    private NvmfStorageServer start(String... options) throws CrailException {
        conf.set(CrailKeys.BLOCK_SIZE, (long) BLOCK);
        conf.set(NvmfTierKeys.STORAGE_KEEPALIVE.name(), "10ms");
        return NvmfStorageServer.start(NvmfDatanodeSettings.of(conf, List.of(options)), target);
    }

    private NvmfStorageServer startRegistered() throws CrailException {
        NvmfStorageServer server = start();
        server.onRegistered();
        return server;
    }

    private static void await(String what, BooleanSupplier condition) {
        long deadlineNs = System.nanoTime() + 30_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadlineNs).as(what).isNegative();
            Thread.onSpinWait();
        }
    }

    private static List<Region> regions(NvmfStorageServer server) throws CrailException {
        List<Region> regions = new ArrayList<>();
        for (Optional<Region> next = server.allocateRegion(); next.isPresent(); next = server.allocateRegion()) {
            regions.add(next.get());
        }
        return regions;
    }

    @Test
    void shouldOfferItsRangeWithoutTheFirstBlock() throws Exception {
        conf.set(NvmfTierKeys.STORAGE_ALLOCATION_SIZE, 8L * BLOCK);
        try (NvmfStorageServer server =
                start("-a", "10.0.0.1", "-p4420", "-n3", "-hostnqn", "nqn.2017-06.io.crail:me")) {
            assertThat(regions(server))
                    .containsExactly(
                            new Region(0, BLOCK, 8 * BLOCK, 0), new Region(8 * BLOCK, 9 * BLOCK, 7 * BLOCK, 0));
            assertThat(server.host()).isEqualTo("10.0.0.1");
            assertThat(server.address().getPort()).isEqualTo(4420);
            assertThat(server.medium()).isEqualTo("a medium");
            DataNodeInfo info = new DataNodeInfo(0, 0, 0, server.host(), 4420, server.locator());
            assertThat(Target.of(info))
                    .isEqualTo(
                            new Target("10.0.0.1", 4420, "nqn.2017-06.io.crail:cnode", 3, "nqn.2017-06.io.crail:me"));
        }
        assertThat(target.closed).isEqualTo(1);
    }

    @Test
    void shouldCountInSixtyFourBits() throws Exception {
        target.shape = new NamespaceShape(1L << 36, 512); // 32 TiB
        conf.set(NvmfTierKeys.STORAGE_ALLOCATION_SIZE.name(), "16t");
        try (NvmfStorageServer server = start("-o", "8t", "-l", "20t")) {
            assertThat(regions(server))
                    .containsExactly(
                            new Region(0, (8L << 40) + BLOCK, 16L << 40, 0),
                            new Region(16L << 40, (24L << 40) + BLOCK, (4L << 40) - BLOCK, 0));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "512, 2048, -o 1m, no room for two blocks",
        "512, 2048, -l 2m, reach beyond the end",
        "512, 2048, -o 100, multiples of the sectors",
        "512, 200, -o 0, no room for two blocks",
        "512, 2048, -nqn crail, is no NVMe qualified name",
        "512, 2048, -n 0, at least 1",
        "512, 2048, -x 1, unknown option",
    })
    void shouldRefuseWhatDoesNotFit(int sectorBytes, long sectors, String options, String message) {
        target.shape = new NamespaceShape(sectors, sectorBytes);
        int space = options.indexOf(' ');
        assertThatThrownBy(() -> start(options.substring(0, space), options.substring(space + 1)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(message);
        assertThat(target.closed).isEqualTo(target.opened);
    }

    @Test
    void shouldRefuseSectorsThatSmallValuesWouldShare() throws CrailException {
        target.shape = new NamespaceShape(2048, 8192);
        assertThatThrownBy(this::start)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("crail.smallblocksize = 4096")
                .hasMessageContaining("set it to 8192 or 0");
        conf.set(CrailKeys.SMALL_BLOCK_SIZE, 8192L);
        start().close();
        conf.set(CrailKeys.SMALL_BLOCK_SIZE, 0L);
        start().close();
    }

    @Test
    void shouldSayWhatToCheckWhenThereIsNoTarget() {
        target.failure = new IOException("nobody listens there");
        assertThatThrownBy(this::start)
                .isInstanceOf(DatanodeUnreachableException.class)
                .hasMessageContaining("nobody listens there")
                .hasMessageContaining("crail.storage.nvmf.nqn");
    }

    @Test
    void shouldBeLostWithItsTargetAndComeBackWithIt() throws Exception {
        try (NvmfStorageServer server = startRegistered()) {
            await("keep-alives are sent", () -> target.keepAlives > 2);
            assertThat(server.isAlive()).isTrue();
            target.failure = new IOException("gone");
            await("it is lost", () -> !server.isAlive());
            target.failure = null;
            await("it is back", server::isAlive);
            assertThat(target.opened).isGreaterThan(1);
        }
    }

    /** Nothing fails then; it is the time limit that tells. */
    @Test
    void shouldBeLostWhileItsTargetDoesNotAnswerAndBackWithTheAnswer() throws Exception {
        conf.set(NvmfTierKeys.STORAGE_CONNECT_TIMEOUT.name(), "100ms");
        try (NvmfStorageServer server = startRegistered()) {
            await("keep-alives are sent", () -> target.keepAlives > 2);
            target.deaf = true;
            await("it is lost", () -> !server.isAlive());
            target.deaf = false;
            await("it is back", server::isAlive);
            assertThat(target.opened).isEqualTo(1);
        }
    }

    @Test
    void shouldComeBackAfterMemoryWasShort() throws Exception {
        try (NvmfStorageServer server = startRegistered()) {
            target.error = new OutOfMemoryError("no direct memory");
            await("it is lost", () -> !server.isAlive());
            target.error = null;
            await("it is back", server::isAlive);
        }
    }

    @Test
    @Timeout(60)
    void shouldCloseWhatItHasOpenedWhileItWasClosed() throws Exception {
        try (NvmfStorageServer server = startRegistered()) {
            target.whileOpening = server::close;
            target.failure = new IOException("gone");
            await("it is lost", () -> !server.isAlive());
            target.failure = null;
            await("it connects anew", () -> target.opened == 2);
            await("that connection is closed, too", () -> target.closed == 2);
        }
    }

    @Test
    void shouldSayWhatIsWrongWithThisHostRatherThanWithTheTarget() {
        target.failure = new BufferExhaustedException("4096 bytes cannot be registered; raise the limit");
        assertThatThrownBy(this::start)
                .isInstanceOf(BufferExhaustedException.class)
                .hasMessageContaining("raise the limit");
    }

    /** The namenode may refuse the range since it holds another datanode's data. */
    @Test
    void shouldWriteNothingBeforeItsRegionsAreAccepted() throws Exception {
        try (NvmfStorageServer server = start()) {
            assertThat(regions(server)).isNotEmpty();
            assertThat(target.label).isZero();
            server.onRegistered();
            assertThat(target.label).isNotZero();
        }
    }

    @Test
    void shouldSayWhatToCheckWhenTheTargetIsGoneBeforeItsRegionsAreAccepted() throws Exception {
        try (NvmfStorageServer server = start()) {
            target.failure = new IOException("gone");
            assertThatThrownBy(server::onRegistered)
                    .isInstanceOf(DatanodeUnreachableException.class)
                    .hasMessageContaining("gone");
        }
    }

    @Test
    void shouldStayLostWhileItsDataIsNotThere() throws Exception {
        try (NvmfStorageServer server = startRegistered()) {
            long label = target.label;
            target.label = 0; // the target has another medium
            await("it is lost", () -> !server.isAlive());
            int opened = target.opened;
            await("it looks again", () -> target.opened > opened + 1);
            assertThat(server.isAlive()).isFalse();
            target.label = label;
            await("it is back", server::isAlive);
            target.shape = new NamespaceShape(1024, 512);
            await("a namespace that has become smaller is lost", () -> !server.isAlive());
            target.shape = new NamespaceShape(4096, 512);
            await("a larger one holds the data", server::isAlive);
        }
    }

    @Test
    void shouldCallStatusCodesByTheirNames() {
        assertThat(NvmeStatus.failure(0, 0x80)).hasMessageContaining("LBA Out of Range (0x080)");
        assertThat(NvmeStatus.failure(2, 0x81)).hasMessageContaining("Unrecovered Read Error (0x281)");
        assertThat(NvmeStatus.failure(0, 0x0b))
                .isInstanceOf(DatanodeUnreachableException.class)
                .hasMessageContaining("Invalid Namespace or Format");
        assertThat(NvmeStatus.failure(7, 1)).hasMessageContaining("(0x701)");
        assertThat(NvmeStatus.failure(2, NvmeStatus.UNKNOWN)).hasMessageContaining("media error");
        assertThat(NvmeStatus.failure(3, 0))
                .isInstanceOf(DatanodeUnreachableException.class)
                .hasMessageContaining("Internal Path Error (0x300)");
        assertThat(NvmeStatus.failure(3, NvmeStatus.UNKNOWN))
                .isInstanceOf(DatanodeUnreachableException.class)
                .hasMessageContaining("path error; the target cannot reach its namespace");
        assertThat(NvmeStatus.failure(NvmeStatus.UNKNOWN, NvmeStatus.UNKNOWN)).hasMessageContaining("an unknown error");
    }
}
