/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.cli.server.ServerProcess.Launch;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.rpc.message.CheckRequest;
import org.apache.crail.rpc.message.CreateRequest;
import org.apache.crail.rpc.message.DatanodeReport;
import org.apache.crail.rpc.message.ReportRequest;
import org.apache.crail.testkit.Await;
import org.apache.crail.testkit.Patience;
import org.apache.crail.testkit.TestClient;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Processes that stand still for longer than others wait for them, and datanodes with one address. */
@Tag("faults")
@Timeout(300)
class StandingServersTest extends ServersInProcesses {
    private static final Duration KEEPALIVE = Patience.of(Duration.ofMillis(250));
    private static final Duration SILENCE = KEEPALIVE.multipliedBy(8);
    private static final Duration LEASE = Patience.of(Duration.ofSeconds(1));
    private static final long IMPATIENT_MS = 300;
    private static final long PATIENT_MS = 60_000;

    private ServerProcess namenode;

    @BeforeEach
    void startNamenode() throws Exception {
        settings.put("crail.storage.keepalive", KEEPALIVE.toMillis() + "ms");
        settings.put("crail.tokenexpiration", LEASE.toMillis() + "ms");
        settings.put("crail.rpctimeout", "60s");
        settings.put("crail.connecttimeout", "60s");
        settings.put("crail.storage.tcp.mapped", "false");
        namenode = startNamenode(Launch.USUAL);
    }

    /** All datanodes advertise the same host, and bind each an address of its own. */
    private ServerProcess startDatanode(String name, String bound, int port) throws Exception {
        settings.put("crail.datanode.host", "127.0.0.2");
        settings.put("crail.datanode.bind", bound);
        return start(name, Launch.USUAL, "datanode", "--", "-p", Integer.toString(port));
    }

    private DatanodeReport onlyDatanode() throws Exception {
        List<DatanodeReport> datanodes = ask(new ReportRequest()).datanodes();
        assertThat(datanodes).hasSize(1);
        return datanodes.get(0);
    }

    private FileInfo createFile(String path) throws Exception {
        return ask(new CreateRequest(CrailPath.parse(path), CrailNodeType.DATAFILE, 0, 0, false))
                .file();
    }

    private static String lastLine(String text) {
        return text.strip().lines().reduce("", (before, line) -> line);
    }

    @Test
    void shouldEndTheSecondOfTwoDatanodesWithOneAddressAndLeaveTheFirstAlone() throws Exception {
        int port = startDatanode("first", "127.0.0.2", 0).awaitPort();
        try (TestClient client = TestClient.open(configuration())) {
            client.write("/file", new byte[100_000]);
            ServerProcess second = startDatanode("second", "127.0.0.3", port);

            assertThat(second.awaitEnd()).isEqualTo(1);

            assertThat(lastLine(second.messages()))
                    .startsWith("crail datanode: ")
                    .contains("127.0.0.2:" + port)
                    .contains("another one, incarnation ");
            assertThat(client.read("/file")).hasSize(100_000);
        }
        assertThat(onlyDatanode().live()).isTrue();
        assertThat(ask(new CheckRequest()).lost()).isZero();
    }

    @Test
    void shouldEndADatanodeThatComesBackAfterAnotherHasTakenItsPlace() throws Exception {
        ServerProcess former = startDatanode("former", "127.0.0.2", 0);
        int port = former.awaitPort();
        former.pause();
        Await.until("the former one is missed", () -> !onlyDatanode().live());
        ServerProcess successor = startDatanode("successor", "127.0.0.3", port);
        successor.awaitPort();
        createFile("/file");

        former.goOn();

        assertThat(former.awaitEnd()).isEqualTo(1);
        assertThat(lastLine(former.messages()))
                .startsWith("crail datanode: ")
                .contains("has been replaced by one that began later");
        assertThat(successor.isAlive()).isTrue();
        assertThat(onlyDatanode().live()).isTrue();
        assertThat(ask(new CheckRequest()).lost()).isZero();
    }

    /** Writers that time out go on with other files, and others wait; nothing is lost, and no byte is foreign. */
    @Test
    void shouldLoseNothingWhileTheNamenodeStandsStill() throws Exception {
        startDatanode(Launch.USUAL);
        BusyClients busy = keep(new BusyClients());
        TestClient impatient = openClient(IMPATIENT_MS);
        TestClient patient = openClient(PATIENT_MS);
        busy.start(impatient, 2);
        busy.start(patient, 2);
        busy.awaitMore(patient);

        standStill(namenode, SILENCE.multipliedBy(2), busy);

        busy.awaitMore(impatient);
        busy.awaitMore(patient);
        busy.stopAndVerify(openClient(PATIENT_MS));
        assertThat(namenode.messages()).doesNotContain("is silent");
        assertThat(busy.failed(ErrorCode.NO_FREE_BLOCKS))
                .as("no datanode was missed")
                .isZero();
        assertThat(checkBlocks().lost()).isZero();
    }

    /** At the default configuration, where datanodes may be silent for 16 s, and calls end after 10 s. */
    @Test
    @Tag("full")
    void shouldLoseNothingWhileTheNamenodeStandsStillAtTheDefaults() throws Exception {
        namenode.close();
        List.of("crail.storage.keepalive", "crail.tokenexpiration", "crail.rpctimeout", "crail.connecttimeout")
                .forEach(settings::remove);
        settings.put("crail.namenode.address", "crail://127.0.0.1:0");
        namenode = startNamenode(Launch.USUAL);
        startDatanode(Launch.USUAL);
        BusyClients busy = keep(new BusyClients());
        TestClient usual = keep(TestClient.open(configuration()));
        TestClient patient = openClient(PATIENT_MS);
        busy.start(usual, 2);
        busy.start(patient, 2);
        busy.awaitMore(patient);

        standStill(namenode, Duration.ofSeconds(20), busy);

        busy.awaitMore(usual);
        busy.awaitMore(patient);
        busy.stopAndVerify(openClient(PATIENT_MS));
        assertThat(namenode.messages()).doesNotContain("is silent");
        assertThat(busy.failed(ErrorCode.NO_FREE_BLOCKS))
                .as("no datanode was missed")
                .isZero();
        assertThat(checkBlocks().lost()).isZero();
    }

    /**
     * Longer than leases, and shorter than the namenode waits for its heartbeats, so that blocks of writers that have
     * given up get other owners before what was sent arrives.
     */
    @Test
    void shouldShowNoForeignBytesWhenADatanodeStandsStillForLongerThanLeases() throws Exception {
        namenode.close();
        settings.put("crail.storage.keepalive", LEASE.toMillis() + "ms");
        settings.put("crail.storage.tcp.storagelimit", "4m"); // few blocks, which soon have other owners
        settings.put("crail.namenode.address", "crail://127.0.0.1:0");
        namenode = startNamenode(Launch.USUAL);
        ServerProcess datanode = startDatanode(Launch.USUAL);
        BusyClients busy = keep(new BusyClients());
        TestClient impatient = openClient(IMPATIENT_MS);
        TestClient patient = openClient(PATIENT_MS);
        busy.start(impatient, 3);
        busy.start(patient, 2);
        for (int i = 0; i < 3; i++) {
            busy.awaitMore(impatient);
            standStill(datanode, LEASE.multipliedBy(3), busy);
        }

        busy.awaitMore(impatient);
        busy.awaitMore(patient);
        busy.stopAndVerify(openClient(PATIENT_MS));
        assertThat(checkBlocks().lost()).isZero();
    }

    /** Lets a server stand still for so long at least, and until calls have ended at their limit. */
    private static void standStill(ServerProcess server, Duration atLeast, BusyClients busy) throws Exception {
        int before = endedAtLimit(busy);
        server.pause();
        long pausedNs = System.nanoTime();
        Await.until(
                "it has stood still for so long, and calls have ended at their limit",
                () -> System.nanoTime() - pausedNs > atLeast.toNanos() && endedAtLimit(busy) > before);
        server.goOn();
    }

    /** Those of a namenode fail as unreachable where the client connects anew when their time is over. */
    private static int endedAtLimit(BusyClients busy) {
        return busy.failed(ErrorCode.TIMEOUT) + busy.failed(ErrorCode.NAMENODE_UNREACHABLE);
    }
}
