/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.Upcoming;
import org.apache.crail.cli.server.ServerProcess.Launch;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.BufferExhaustedException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.error.NamenodeUnreachableException;
import org.apache.crail.error.OperationTimeoutException;
import org.apache.crail.testkit.Await;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.TestClient;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers that get no more descriptors or memory. */
@Tag("faults")
@Timeout(300)
class LimitedServersTest extends ServersInProcesses {
    private static final int BYTES = 200_000;
    private static final int NEWCOMERS = 4;
    private static final long NEWCOMER_MS = 2_000;
    private static final long PATIENT_MS = 60_000;
    private static final long MANY = 1_000;
    private static final int CROWD = 16;
    private static final int ROUNDS = 4;
    private static final int CROWD_BYTES = 8 * BLOCK;
    private static final Launch LITTLE_DIRECT_MEMORY = Launch.with("-Xmx64m", "-XX:MaxDirectMemorySize=4m");

    @BeforeEach
    void beginWithAFile() {
        settings.put("crail.connecttimeout", "60s");
        settings.put("crail.storage.tcp.mapped", "false");
        settings.put("crail.tokenexpiration", "1s");
    }

    private TestClient clientWithFile() throws Exception {
        TestClient client = openClient(PATIENT_MS);
        client.write("/first", Pattern.of(1, BYTES));
        assertReads(client);
        return client;
    }

    private static void assertReads(TestClient client) throws Exception {
        assertThat(client.read("/first")).isEqualTo(Pattern.of(1, BYTES));
    }

    private static void assertWrites(TestClient client, String path) throws Exception {
        client.write(path, Pattern.of(2, BYTES));
        assertThat(client.read(path)).isEqualTo(Pattern.of(2, BYTES));
    }

    @Test
    void shouldServeItsClientsWhileTheNamenodeHasNoDescriptorForOthers() throws Exception {
        ServerProcess namenode = startNamenode(Launch.USUAL.fromJars(work));
        startDatanode(Launch.USUAL);
        serveWithoutDescriptors(namenode);
    }

    @Test
    void shouldServeItsClientsWhileADatanodeHasNoDescriptorForOthers() throws Exception {
        startNamenode(Launch.USUAL);
        ServerProcess datanode = startDatanode(Launch.USUAL.fromJars(work));
        serveWithoutDescriptors(datanode);
    }

    private void serveWithoutDescriptors(ServerProcess server) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/prlimit")), "no prlimit here");
        TestClient early = clientWithFile();
        server.limit("nofile", server.descriptors());

        List<CrailException> failures = failuresOfNewcomers();
        assertThat(failures).as("newcomers that were not served").isNotEmpty();
        assertThat(failures).allSatisfy(failure -> assertThat(failure)
                .isInstanceOfAny(
                        NamenodeUnreachableException.class,
                        DatanodeUnreachableException.class,
                        OperationTimeoutException.class));
        assertWrites(early, "/meanwhile");

        server.limit("nofile", MANY);
        assertReads(openClient(PATIENT_MS));
        assertWrites(early, "/later");
        assertThat(server.messages())
                .contains("cannot accept connections, and tries on")
                .contains("Too many open files")
                .doesNotContain("\tat ");
        checkBlocks();
    }

    /** A descriptor may have been free for the first of them. */
    private List<CrailException> failuresOfNewcomers() throws Exception {
        CrailConfiguration hasty = configuration();
        hasty.set("crail.connecttimeout", NEWCOMER_MS + "ms");
        hasty.set("crail.datatimeout", NEWCOMER_MS + "ms");
        List<CrailException> failures = new ArrayList<>();
        for (int i = 0; i < NEWCOMERS; i++) {
            try {
                assertReads(keep(TestClient.open(hasty)));
            } catch (CrailException e) {
                failures.add(e);
            }
        }
        return failures;
    }

    @Test
    void shouldRefuseCreationsWhileTheHeapIsFullAndAcceptThemWhenNodesAreDeleted() throws Exception {
        ServerProcess namenode = startNamenode(Launch.with("-Xmx24m"));
        startDatanode(Launch.USUAL);
        TestClient client = clientWithFile();
        List<String> directories = new ArrayList<>();
        CrailException failure = null;
        while (failure == null) {
            failure = fill(client, "/directory" + directories.size());
            directories.add("/directory" + directories.size());
        }
        assertThat(failure)
                .isInstanceOf(BufferExhaustedException.class)
                .hasMessageContaining("crail.namenode.heaplimit");
        assertReads(client);

        for (String directory : directories) {
            client.delete(directory, true);
        }
        Await.until("nodes can be created again", () -> isCreated(client, "/again"));
        assertWrites(client, "/later");
        assertThat(namenode.messages()).contains("nothing can be created until nodes are deleted");
        checkBlocks();
    }

    /** Creates a directory of many; answers how that failed in the end, or null. */
    private static CrailException fill(TestClient client, String directory) throws Exception {
        List<Upcoming<CrailNode>> created = new ArrayList<>();
        created.add(creating(client, directory));
        for (int i = 0; i < MANY; i++) {
            created.add(creating(client, directory + "/" + i));
        }
        CrailException failure = null;
        for (Upcoming<CrailNode> each : created) {
            try {
                TestClient.await(each);
            } catch (CrailException e) {
                failure = failure == null ? e : failure;
            }
        }
        return failure;
    }

    private static Upcoming<CrailNode> creating(TestClient client, String path) throws Exception {
        return client.store()
                .create(path, CrailNodeType.DIRECTORY, CrailStorageClass.DEFAULT, CrailLocationClass.DEFAULT, false);
    }

    private static boolean isCreated(TestClient client, String path) throws Exception {
        try {
            TestClient.await(creating(client, path));
            return true;
        } catch (BufferExhaustedException e) {
            return false;
        }
    }

    /** Of direct memory are the buffers in which requests arrive and answers leave. */
    @Test
    void shouldServeACrowdWhileTheNamenodeHasLittleDirectMemory() throws Exception {
        settings.put("crail.storage.tcp.storagelimit", "64m");
        ServerProcess namenode = startNamenode(LITTLE_DIRECT_MEMORY);
        startDatanode(Launch.USUAL);
        serveACrowd(namenode);
    }

    @Test
    void shouldServeACrowdWhileADatanodeHasLittleDirectMemory() throws Exception {
        settings.put("crail.storage.tcp.storagelimit", "64m");
        startNamenode(Launch.USUAL);
        ServerProcess datanode = startDatanode(LITTLE_DIRECT_MEMORY);
        serveACrowd(datanode);
    }

    private void serveACrowd(ServerProcess server) throws Exception {
        TestClient early = clientWithFile();
        ExecutorService threads = Executors.newFixedThreadPool(CROWD);
        List<Future<Integer>> members = new ArrayList<>();
        for (int i = 0; i < CROWD; i++) {
            TestClient client = openClient(PATIENT_MS);
            String name = "/crowd" + i;
            members.add(threads.submit(() -> readAndWrite(client, name)));
        }
        threads.shutdown();
        int served = 0;
        for (Future<Integer> member : members) {
            served += TestClient.await(member);
        }
        assertThat(served).as("rounds that were served").isPositive();
        assertThat(server.isAlive()).isTrue();
        assertReads(openClient(PATIENT_MS));
        assertWrites(openClient(PATIENT_MS), "/later");
        assertReads(early);
        checkBlocks();
    }

    /** Many requests at once, and many bytes; answers how many rounds went well. Others fail, but typed. */
    private static int readAndWrite(TestClient client, String name) throws Exception {
        int served = 0;
        for (int round = 0; round < ROUNDS; round++) {
            String path = name + "-" + round;
            byte[] bytes = Pattern.of(round, CROWD_BYTES);
            try {
                client.write(path, bytes);
                assertThat(client.read(path)).isEqualTo(bytes);
                CrailException failure = fill(client, path + "-directory");
                served += failure == null ? 1 : 0;
            } catch (CrailException e) {
                // the next may be served
            }
        }
        return served;
    }
}
