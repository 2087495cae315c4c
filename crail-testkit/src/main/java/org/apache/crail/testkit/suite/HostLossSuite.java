/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.NoFreeBlocksException;
import org.apache.crail.testkit.Await;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Patience;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.TestClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The host of all servers is lost while clients work. The cluster must be of a kind that has such a host. */
@Tag("faults")
public abstract class HostLossSuite extends ClusterSuite {
    private static final Logger LOG = LoggerFactory.getLogger(HostLossSuite.class);
    private static final Duration CALL_LIMIT = Patience.of(Duration.ofSeconds(3));

    /** Several attempts of a client, each with connecting anew, may follow each other. */
    private static final Duration END_LIMIT = CALL_LIMIT.multipliedBy(10);

    @Override
    protected MiniCluster.Builder shape() throws Exception {
        return super.shape()
                .with("crail.connecttimeout", "5s")
                .with("crail.rpctimeout", CALL_LIMIT.toSeconds() + "s")
                .with("crail.datatimeout", CALL_LIMIT.toSeconds() + "s");
    }

    /** There is no namenode to count blocks any more. */
    @Override
    @AfterEach
    void closeClusterWithBlocksConserved() throws IOException {
        cluster.close();
    }

    @Test
    void shouldEndEveryOperationInTimeWhenTheServersHostIsLost() throws Exception {
        client.write("/file", Pattern.of(1, 4 * BLOCK));
        TestClient reader = anotherClient();
        TestClient writer = anotherClient();
        AtomicInteger files = new AtomicInteger();
        List<Work> all = List.of(
                new Work(() -> Pattern.verify(1, 0, reader.read("/file"))),
                new Work(() -> writeAndDelete(writer, "/new" + files.incrementAndGet())),
                new Work(() -> assertThat(client.lookup("/file")).isNotNull()));
        beforeLoss();
        all.forEach(Work::start);
        awaitWork(all);
        cluster.killHost();

        for (Work work : all) {
            assertThat(work.end.get(END_LIMIT.toSeconds(), TimeUnit.SECONDS)).isInstanceOf(CrailException.class);
        }
        assertFails(CrailException.class, () -> client.store().lookup("/file"));
        afterLoss();
    }

    /** Deleted blocks come back after a while only; until then the writer tries again and again. */
    private static void writeAndDelete(TestClient writer, String path) throws Exception {
        boolean written = false;
        while (!written) {
            try {
                writer.write(path, Pattern.of(2, 2 * BLOCK));
                written = true;
            } catch (NoFreeBlocksException e) {
                LOG.debug("blocks are used up", e);
            }
            writer.delete(path, false);
        }
    }

    /** Waits until everybody works; nobody may have ended. */
    private static void awaitWork(List<Work> all) throws Exception {
        for (Work work : all) {
            Await.until("everybody works", () -> work.done.get() > 2 || work.end.isDone());
        }
        for (Work work : all) {
            assertThat(work.end).as("nobody has ended").isNotDone();
        }
    }

    /** What else is prepared while the servers' host is there, before there is work. */
    protected void beforeLoss() throws Exception {}

    /** What else holds when it is gone. */
    protected void afterLoss() throws Exception {}

    /** Repeats a step until it fails. The step is for its own thread, the rest for any. */
    private static final class Work {
        private final Step step;
        private final AtomicInteger done = new AtomicInteger();

        /** What the step failed with. */
        private final CompletableFuture<Throwable> end = new CompletableFuture<>();

        private Work(Step step) {
            this.step = step;
        }

        private void start() {
            Thread thread = new Thread(() -> end.complete(run()), "host-loss-worker");
            thread.setDaemon(true);
            thread.start();
        }

        @SuppressWarnings("CatchThrowable") // the outermost loop of its thread
        private Throwable run() {
            try {
                while (true) {
                    step.run();
                    done.incrementAndGet();
                }
            } catch (Throwable e) {
                return e;
            }
        }
    }

    @FunctionalInterface
    private interface Step {
        void run() throws Exception;
    }
}
