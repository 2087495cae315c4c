/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.rpc.message.CheckRequest;
import org.apache.crail.rpc.message.CreateRequest;
import org.apache.crail.rpc.message.DatanodeReport;
import org.apache.crail.rpc.message.ReportRequest;
import org.apache.crail.rpc.message.Request;
import org.apache.crail.rpc.message.Response;
import org.apache.crail.testkit.Await;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Patience;
import org.apache.crail.testkit.TestClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes that stand still for longer than others wait for them, and datanodes with one address. */
@Tag("faults")
@Timeout(300)
class StandingServersTest {
    private static final Duration KEEPALIVE = Patience.of(Duration.ofMillis(250));
    private static final Duration SILENCE = KEEPALIVE.multipliedBy(8);

    @TempDir
    private Path work;

    private final List<ServerProcess> servers = new ArrayList<>();
    private final Map<String, String> settings = new TreeMap<>();
    private ServerProcess namenode;
    private int namenodePort;

    @BeforeEach
    void startNamenode() throws Exception {
        settings.put("crail.storage.keepalive", KEEPALIVE.toMillis() + "ms");
        settings.put("crail.blocksize", "64k");
        settings.put("crail.buffersize", "64k");
        settings.put("crail.slicesize", "16k");
        settings.put("crail.singleton", "false");
        settings.put("crail.rpctimeout", "60s");
        settings.put("crail.connecttimeout", "60s");
        settings.put("crail.storage.tcp.datapath", work.resolve("data").toString());
        settings.put("crail.storage.tcp.storagelimit", "4m");
        settings.put("crail.storage.tcp.allocationsize", "1m");
        settings.put("crail.namenode.address", "crail://127.0.0.1:0");
        namenode = start("namenode", "namenode");
        namenodePort = namenode.awaitPort();
        settings.put("crail.namenode.address", "crail://127.0.0.1:" + namenodePort);
    }

    @AfterEach
    void endServers() throws Exception {
        for (ServerProcess server : servers) {
            server.close();
        }
    }

    private ServerProcess start(String name, String... arguments) throws Exception {
        ServerProcess server = ServerProcess.start(work, name, settings, arguments);
        servers.add(server);
        return server;
    }

    /** All datanodes advertise the same host, and bind each an address of its own. */
    private ServerProcess startDatanode(String name, String bound, int port) throws Exception {
        settings.put("crail.datanode.host", "127.0.0.2");
        settings.put("crail.datanode.bind", bound);
        return start(name, "datanode", "--", "-p", Integer.toString(port));
    }

    private CrailConfiguration configuration() {
        CrailConfiguration configuration = CrailConfiguration.createEmptyConfiguration();
        settings.forEach(configuration::set);
        return configuration;
    }

    private <R extends Response> R ask(Request<R> request) throws Exception {
        return MiniCluster.call(
                request, new InetSocketAddress(InetAddress.getLoopbackAddress(), namenodePort), configuration());
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

    @Test
    void shouldMissNobodyBecauseTheNamenodeStoodStill() throws Exception {
        startDatanode("datanode", "127.0.0.2", 0).awaitPort();
        try (TestClient client = TestClient.open(configuration())) {
            client.write("/before", new byte[1000]);
            namenode.pause();
            long pausedNs = System.nanoTime();
            Await.until(
                    "it has stood still for longer than datanodes may be silent",
                    () -> System.nanoTime() - pausedNs > SILENCE.multipliedBy(5).toNanos());
            namenode.goOn();

            for (int i = 0; i < 20; i++) { // nothing fails for want of a datanode
                client.write("/after" + i, new byte[1000]);
                assertThat(client.read("/before")).hasSize(1000);
            }
        }
        assertThat(namenode.messages()).doesNotContain("is silent");
        assertThat(ask(new CheckRequest()).lost()).isZero();
    }
}
