/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.rpc.message.LocateRequest;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.Rounds;
import org.apache.crail.testkit.TestClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two clients that append a few bytes at a time to small files, whose blocks are neighbours in the namespace. */
@Tag("nvmf")
final class NvmfNeighboursTest extends ClusterSuite {
    private static final int PAIRS = 3;
    private static final int PIECE = 37; // crosses sectors at ever other places

    private final int rounds = Math.min(Rounds.of(200), BLOCK / PIECE - 1);
    private final ExecutorService threads = Executors.newFixedThreadPool(2);

    @Override
    protected ClusterKind kind() {
        return ClusterKind.NVMF;
    }

    /** Neighbouring blocks; {@link NvmfSmallValueTest} has neighbours in one block. */
    @Override
    protected MiniCluster.Builder shape() throws Exception {
        return super.shape().with("crail.smallblocksize", "0");
    }

    @AfterEach
    void stopThreads() throws Exception {
        threads.shutdownNow();
        assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void shouldKeepNeighbouringFilesApartWhileTwoClientsAppendToThem() throws Exception {
        TestClient[] clients = {anotherClient(), anotherClient()};
        client.create("/t", CrailNodeType.TABLE);
        for (int pair = 0; pair < PAIRS; pair++) {
            for (int client = 0; client < 2; client++) {
                clients[client].put(path(client, pair), Pattern.of(id(client, pair), firstBytes(client)));
            }
            assertThat(Math.abs(address(0, pair) - address(1, pair))).isEqualTo(BLOCK);
        }

        Future<Void> first = threads.submit(() -> appendAndLook(clients, 0));
        Future<Void> second = threads.submit(() -> appendAndLook(clients, 1));
        first.get(5, TimeUnit.MINUTES);
        second.get(5, TimeUnit.MINUTES);

        for (int pair = 0; pair < PAIRS; pair++) {
            for (int client = 0; client < 2; client++) {
                byte[] all = this.client.read(path(client, pair));
                assertThat(all).isEqualTo(Pattern.of(id(client, pair), firstBytes(client) + rounds * PIECE));
            }
        }
    }

    /** In each round, appends to each of its own files, and reads one of the other client's as far as that has come. */
    private Void appendAndLook(TestClient[] clients, int number) throws Exception {
        TestClient own = clients[number];
        for (int round = 0; round < rounds; round++) {
            for (int pair = 0; pair < PAIRS; pair++) {
                long position = firstBytes(number) + (long) round * PIECE;
                own.append(path(number, pair), Pattern.of(id(number, pair), position, PIECE));
            }
            int looked = round % PAIRS;
            Pattern.verify(id(1 - number, looked), 0, own.read(path(1 - number, looked)));
        }
        return null;
    }

    /** The first client's files grow from the begin of their block, the other's up to the end of theirs. */
    private int firstBytes(int client) {
        return client == 0 ? 1 : BLOCK - rounds * PIECE;
    }

    private static String path(int client, int pair) {
        return "/t/client" + client + "-" + pair;
    }

    private static long id(int client, int pair) {
        return 10L * client + pair;
    }

    private long address(int client, int pair) throws Exception {
        return cluster.call(new LocateRequest(CrailPath.parse(path(client, pair)), 0, 1))
                .blocks()
                .get(0)
                .getAddr();
    }
}
