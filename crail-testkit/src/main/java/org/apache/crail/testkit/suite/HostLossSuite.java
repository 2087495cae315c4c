/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.error.CrailException;
import org.apache.crail.testkit.Await;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Patience;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.TestClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The host of all servers is lost while clients work. The cluster must be of a kind that has such a host. */
@Tag("faults")
public abstract class HostLossSuite extends ClusterSuite {
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
                new Work(() -> {
                    writer.write("/new" + files.incrementAndGet(), Pattern.of(2, 2 * BLOCK));
                    writer.delete("/new" + files.get(), false);
                }),
                new Work(() -> assertThat(client.lookup("/file")).isNotNull()));
        List<CompletableFuture<Throwable>> ends = new ArrayList<>();
        for (Work work : all) {
            ends.add(work.start());
        }
        for (Work work : all) {
            Await.until("everybody works", () -> work.done.get() > 2);
        }

        beforeLoss();
        cluster.killHost();

        for (CompletableFuture<Throwable> end : ends) {
            assertThat(end.get(END_LIMIT.toSeconds(), TimeUnit.SECONDS)).isInstanceOf(CrailException.class);
        }
        assertFails(CrailException.class, () -> client.store().lookup("/file"));
        afterLoss();
    }

    /** What else is prepared while the servers' host is there. */
    protected void beforeLoss() throws Exception {}

    /** What else holds when it is gone. */
    protected void afterLoss() throws Exception {}

    /** Repeats a step until it fails. Used by its own thread; {@code done} by any. */
    private static final class Work {
        private final Step step;
        private final AtomicInteger done = new AtomicInteger();

        private Work(Step step) {
            this.step = step;
        }

        /** What the future gives is what the step failed with. */
        private CompletableFuture<Throwable> start() {
            CompletableFuture<Throwable> failure = new CompletableFuture<>();
            Thread thread = new Thread(() -> failure.complete(run()), "host-loss-worker");
            thread.setDaemon(true);
            thread.start();
            return failure;
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
