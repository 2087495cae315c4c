/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.apache.crail.CrailNodeType.DATAFILE;
import static org.apache.crail.CrailNodeType.DIRECTORY;
import static org.apache.crail.CrailNodeType.TABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailPath;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.Upcoming;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.ClusterMismatchException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeLostException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.error.NamenodeUnreachableException;
import org.apache.crail.error.NoFreeBlocksException;
import org.apache.crail.error.OperationTimeoutException;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.error.TokenTakenException;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.rpc.message.CreateRequest;
import org.apache.crail.rpc.message.DatanodeReport;
import org.apache.crail.rpc.message.LookupRequest;
import org.apache.crail.rpc.message.Operation;
import org.apache.crail.rpc.message.ReportRequest;
import org.apache.crail.rpc.message.SyncRequest;
import org.apache.crail.rpc.transport.RpcChannel;
import org.apache.crail.rpc.transport.RpcServer;
import org.apache.crail.rpc.transport.RpcTransport;
import org.apache.crail.testkit.Await;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Patience;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.Probe;
import org.apache.crail.testkit.Rounds;
import org.apache.crail.testkit.TestClient;
import org.apache.crail.testkit.servers.ServerPlace;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What breaks, breaks with a typed error in time, and nothing is lost beside it. Class 0 and class 1 have a datanode
 * each.
 */
@Tag("faults")
@Timeout(180)
public abstract class FaultSuite extends ClusterSuite {
    private static final int BLOCKS = 16;

    @Override
    protected MiniCluster.Builder shape() throws Exception {
        return super.shape()
                .blocksPerDatanode(BLOCKS)
                .firstClassOnly()
                .with("crail.storage.classes", "2")
                .with("crail.tokenexpiration", Patience.ofMs(1_000))
                .with("crail.connecttimeout", "5s")
                .with("crail.rpctimeout", "3s")
                .with("crail.datatimeout", "3s");
    }

    @BeforeEach
    void startSecondDatanode() throws Exception {
        cluster.startDatanode(1);
    }

    /** D1: a write that finds the store full fails, what was synced stays, and deleting makes room again. */
    @Test
    void shouldSurviveAFullStoreInTheMiddleOfAWrite() throws Exception {
        CrailFile file = client.createFile("/file");
        TestClient.append(file, Pattern.of(1, 4 * BLOCK));

        assertThatThrownBy(() -> TestClient.append(file, new byte[3 * BLOCKS * BLOCK]))
                .isInstanceOf(NoFreeBlocksException.class)
                .hasMessageContaining("delete data, or add datanodes");

        byte[] read = client.read("/file");
        assertThat(read.length).isGreaterThanOrEqualTo(4 * BLOCK);
        Pattern.verify(1, 0, Arrays.copyOf(read, 4 * BLOCK));
        cluster.checkBlocks();
        client.delete("/file", false);
        Await.until("blocks are reclaimed", () -> cluster.checkBlocks().free() >= 2 * BLOCKS - 1);
        client.write("/again", Pattern.of(2, BLOCKS * BLOCK));
        assertThat(client.read("/again")).isEqualTo(Pattern.of(2, BLOCKS * BLOCK));
    }

    /** Replaced values hold their blocks for a while; who overwrites faster than that waits, and does not fail. */
    @Test
    void shouldWaitForTheBlocksOfReplacedValues() throws Exception {
        client.create("/t", TABLE);
        int length = 3 * BLOCK;
        for (int i = 0; i < Rounds.of(BLOCKS); i++) {
            client.put("/t/key", Pattern.selfDescribing(i, length));
        }
        Pattern.verifySelfDescribing(client.read("/t/key"));
        CrailFile file = client.createFile("/file");
        client.put("/t/key", Pattern.selfDescribing(1, 2 * BLOCKS * BLOCK / 2));
        client.put("/t/key", Pattern.selfDescribing(2, BLOCK));
        TestClient.append(file, Pattern.of(1, BLOCKS * BLOCK + BLOCK));
        assertThat(client.read("/file")).isEqualTo(Pattern.of(1, BLOCKS * BLOCK + BLOCK));
        cluster.checkBlocks();
    }

    /** D9: a datanode that dies fails the transfers to it at once, and no others; it is welcome when it comes back. */
    @Test
    void shouldFailOnlyTransfersToADatanodeThatDied() throws Exception {
        write("/alive", 0, 2 * BLOCK);
        write("/dead", 1, 2 * BLOCK);
        ExecutorService pool = Executors.newSingleThreadExecutor();
        Future<Throwable> reader = pool.submit(() -> readUntilFailure("/dead"));
        pool.shutdown();
        cluster.killDatanode(1);

        assertThat(TestClient.await(reader))
                .isInstanceOfAny(
                        DatanodeUnreachableException.class,
                        DatanodeLostException.class,
                        OperationTimeoutException.class);
        assertThat(client.read("/alive")).isEqualTo(Pattern.of(1, 2 * BLOCK));

        cluster.restartDatanode(1);
        write("/new", 1, 2 * BLOCK);
        assertThat(client.read("/new")).isEqualTo(Pattern.of(1, 2 * BLOCK));
        assertThat(datanodeOf("/new")).isEqualTo(cluster.datanode(1).info().getPort());
        assertThatThrownBy(() -> client.read("/dead"))
                .isInstanceOfAny(DatanodeLostException.class, StaleBlockException.class);
        cluster.checkBlocks();
        client.delete("/dead", false);
    }

    private Throwable readUntilFailure(String path) throws Exception {
        try {
            while (true) {
                Pattern.verify(1, 0, client.read(path));
            }
        } catch (CrailException e) {
            return e;
        }
    }

    @Test
    void shouldExcludeADatanodeWithoutHeartbeatsFromAllocation() throws Exception {
        write("/before", 1, BLOCK);
        assertThat(datanodeOf("/before")).isEqualTo(cluster.datanode(1).info().getPort());
        cluster.killDatanode(1);
        Await.until("the datanode counts as dead", () -> !report(1).live());

        write("/meanwhile", 1, BLOCK);
        assertThat(datanodeOf("/meanwhile"))
                .isEqualTo(cluster.datanode(0).info().getPort());

        cluster.restartDatanode(1);
        Await.until("the datanode is back", () -> report(1).live());
        write("/after", 1, BLOCK);
        assertThat(datanodeOf("/after")).isEqualTo(cluster.datanode(1).info().getPort());
    }

    @Test
    void shouldLetAnotherWriterTakeOverFromAClientThatDiedBeforeSync() throws Exception {
        CrailPath path = CrailPath.parse("/orphan");
        // A client that dies here has created the node, but has not synced.
        FileInfo orphan =
                cluster.call(new CreateRequest(path, DATAFILE, 0, 0, true)).file();

        assertThat(client.lookup("/orphan").getCapacity()).isZero();
        assertThat(client.list("/")).contains("orphan");
        FileInfo[] taken = new FileInfo[1];
        Await.until("the token of the dead client expires", () -> {
            try {
                taken[0] = cluster.call(new LookupRequest(path, true)).file();
                return true;
            } catch (TokenTakenException e) {
                return false;
            }
        });
        assertThat(taken[0].getFd()).isEqualTo(orphan.getFd());
        cluster.call(new SyncRequest(taken[0].getFd(), taken[0].getToken(), 5, SyncRequest.End.CLOSED));
        assertThat(client.lookup("/orphan").getCapacity()).isEqualTo(5);
        client.createFile("/other");
        assertThat(client.list("/")).contains("other");
        client.delete("/orphan", false);
        assertThat(client.list("/")).containsExactly("other");
    }

    @Test
    void shouldCreateOnceThoughTheAnswerWasLost() throws Exception {
        try (Probed probed = probed()) {
            Upcoming<CrailNode> creation = withLostAnswer(
                    probed,
                    Operation.CREATE,
                    () -> probed.client.creating("/file", DATAFILE),
                    () -> client.lookup("/file") != null);

            CrailNode node = TestClient.await(creation);
            assertThat(node.asFile().getFd())
                    .isEqualTo(client.lookup("/file").asFile().getFd());
            TestClient.append(node.asFile(), Pattern.of(1, 100));
            assertThat(client.read("/file")).isEqualTo(Pattern.of(1, 100));
            assertThat(client.list("/")).containsExactly("file");
        }
    }

    @Test
    void shouldRenameAndDeleteOnceThoughTheAnswersWereLost() throws Exception {
        client.write("/a", Pattern.of(1, 100));
        try (Probed probed = probed()) {
            Upcoming<CrailNode> move = withLostAnswer(
                    probed,
                    Operation.MOVE,
                    () -> probed.client.store().rename("/a", "/b"),
                    () -> client.lookup("/b") != null);
            assertThat(TestClient.await(move).getPath()).isEqualTo("/b");

            Upcoming<CrailNode> removal = withLostAnswer(
                    probed,
                    Operation.REMOVE,
                    () -> probed.client.store().delete("/b", false),
                    () -> client.lookup("/b") == null);
            assertThat(TestClient.await(removal)).isNotNull();
            assertThat(client.list("/")).isEmpty();
        }
    }

    @Test
    void shouldExecuteEachOfManyCreationsOnceWhileConnectionsBreak() throws Exception {
        client.create("/d", DIRECTORY);
        try (Probed probed = probed()) {
            List<Upcoming<CrailNode>> creations = new ArrayList<>();
            for (int i = 0; i < 25; i++) {
                creations.add(probed.client.creating("/d/f" + i, DATAFILE));
                if (i % 5 == 4) {
                    probed.probe.cutConnections();
                }
            }
            for (Upcoming<CrailNode> creation : creations) {
                TestClient.await(creation).syncDir();
            }
        }
        assertThat(client.list("/d")).hasSize(25);
        assertThat(cluster.checkBlocks().nodes()).isEqualTo(27);
    }

    /** D13, D14: an operation whose answer never comes ends with a timeout. */
    @Test
    void shouldTimeOutWhenNoAnswerComes() throws Exception {
        try (Probed probed = probed()) {
            CrailOutputStream stream = probed.client.createFile("/file").getDirectOutputStream(0);
            probed.probe.loseAnswers(true);
            Upcoming<CrailNode> lookup = probed.client.store().lookup("/");
            Upcoming<CrailNode> creation = probed.client.creating("/other", DATAFILE);
            assertFails(OperationTimeoutException.class, () -> stream.write(TestClient.buffer(new byte[3 * BLOCK])));
            assertFails(OperationTimeoutException.class, lookup);
            assertFails(OperationTimeoutException.class, creation);
            probed.probe.loseAnswers(false);
            assertThatThrownBy(stream::close).isInstanceOf(OperationTimeoutException.class);
            assertThat(probed.client.lookup("/file")).isNotNull();
        }
    }

    @Test
    void shouldFailInTimeWhenNoNamenodeIsThere() throws Exception {
        CrailConfiguration configuration = cluster.configuration();
        cluster.stopNamenode();
        try {
            assertThatThrownBy(() -> TestClient.open(configuration)).isInstanceOf(NamenodeUnreachableException.class);
            assertFails(CrailException.class, () -> client.store().lookup("/"));
        } finally {
            cluster.startNamenode();
            awaitBothDatanodes();
        }
    }

    @Test
    void shouldFailInTimeWhenTheNamenodeIsSilent() throws Exception {
        CrailConfiguration configuration = cluster.configuration();
        try (RpcTransport transport =
                RpcTransport.createInstance(configuration.get(CrailKeys.NAMENODE_RPC_TYPE), configuration)) {
            RpcServer silent =
                    transport.listen(new InetSocketAddress(ServerPlace.testHost(), 0), channel -> new Silence());
            configuration.set(
                    "crail.namenode.address",
                    "crail://" + ServerPlace.testHost() + ":" + silent.address().getPort());

            assertThatThrownBy(() -> TestClient.open(configuration))
                    .isInstanceOfAny(OperationTimeoutException.class, NamenodeUnreachableException.class);
        }
    }

    @Test
    void shouldRefuseANamenodeOfAnotherCluster() throws Exception {
        CrailConfiguration configuration = cluster.configuration();
        configuration.set("crail.clusterid", "another");

        assertThatThrownBy(() -> TestClient.open(configuration))
                .isInstanceOf(ClusterMismatchException.class)
                .hasMessageContaining("another");
    }

    /** D8: datanodes register again by themselves with a namenode that has forgotten them. */
    @Test
    void shouldWorkOnWhenTheNamenodeRestartsWithoutItsState() throws Exception {
        client.write("/before", Pattern.of(1, 100));
        cluster.stopNamenode();
        cluster.startNamenode();
        awaitBothDatanodes();

        assertThat(client.lookup("/before")).isNull();
        client.write("/after", Pattern.of(2, 2 * BLOCK));
        assertThat(client.read("/after")).isEqualTo(Pattern.of(2, 2 * BLOCK));
        assertThat(client.list("/")).containsExactly("after");
    }

    /** Some tiers hold blocks back for the life of a write token, as former clients may still write to them. */
    private void awaitBothDatanodes() throws Exception {
        Await.until("the datanodes' blocks can be had again", () -> {
            try {
                return cluster.call(new ReportRequest()).datanodes().stream()
                                .filter(datanode -> datanode.freeBlocks() > 0)
                                .count()
                        == 2;
            } catch (NamenodeUnreachableException e) {
                return false;
            }
        });
    }

    private void write(String path, int storageClass, int length) throws Exception {
        CrailNode node = TestClient.await(client.store()
                .create(path, DATAFILE, CrailStorageClass.get(storageClass), CrailLocationClass.DEFAULT, true));
        TestClient.append(node.asFile(), Pattern.of(1, length));
    }

    private int datanodeOf(String path) throws Exception {
        String name = client.lookup(path).getBlockLocations(0, 1)[0].getNames()[0];
        return Integer.parseInt(name.substring(name.lastIndexOf(':') + 1));
    }

    private DatanodeReport report(int datanode) throws Exception {
        int port = cluster.datanode(datanode).info().getPort();
        return cluster.call(new ReportRequest()).datanodes().stream()
                .filter(report -> report.datanode().getPort() == port)
                .findFirst()
                .orElseThrow();
    }

    private Probed probed() throws Exception {
        CrailConfiguration configuration = cluster.configuration();
        Probe probe = Probe.attach(configuration);
        return new Probed(probe, TestClient.open(configuration));
    }

    /** Sends an operation, loses its answer, and cuts the connection when the namenode has executed it. */
    private static Upcoming<CrailNode> withLostAnswer(
            Probed probed, Operation operation, Callable<Upcoming<CrailNode>> send, Await.Condition executed)
            throws Exception {
        long lost = probed.probe.lostAnswers();
        probed.probe.loseAnswers(true);
        Upcoming<CrailNode> sent = send.call();
        Await.until(operation + " has been executed", executed);
        Await.until("its answer has been lost", () -> probed.probe.lostAnswers() > lost);
        assertThat(sent.isDone()).isFalse();
        probed.probe.loseAnswers(false);
        probed.probe.cutConnections();
        return sent;
    }

    private record Probed(Probe probe, TestClient client) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            client.close();
        }
    }

    private static final class Silence implements RpcChannel.Receiver {
        @Override
        public void onMessage(ByteBuffer message) {
            // That is the fault.
        }

        @Override
        public void onClosed(Throwable cause) {
            // Nothing to end.
        }
    }
}
