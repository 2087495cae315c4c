/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.apache.crail.CrailNodeType.DATAFILE;
import static org.apache.crail.CrailNodeType.DIRECTORY;
import static org.apache.crail.CrailNodeType.KEYVALUE;
import static org.apache.crail.CrailNodeType.TABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailNode;
import org.apache.crail.Upcoming;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.NodeExistsException;
import org.apache.crail.error.OperationTimeoutException;
import org.apache.crail.error.ParentNotFoundException;
import org.apache.crail.testkit.Await;
import org.apache.crail.testkit.Probe;
import org.apache.crail.testkit.TestClient;
import org.junit.jupiter.api.Test;

/** What the futures of a store promise. */
public abstract class FutureSuite extends ClusterSuite {
    /** D35: operations complete by themselves. */
    @Test
    void shouldCompleteOperationsThatNobodyAsks() throws Exception {
        client.creating("/a", DIRECTORY);
        Await.until("/a is there", () -> client.lookup("/a") != null);
        client.store().rename("/a", "/b");
        Await.until("/b is there", () -> client.lookup("/b") != null);
        Upcoming<CrailNode> deletion = client.store().delete("/b", false);
        Await.until("the deletion is done", deletion::isDone);

        assertThat(client.lookup("/b")).isNull();
    }

    /** D14: get with a timeout returns in time though no answer ever comes. */
    @Test
    void shouldHonourTheTimeoutOfGet() throws Exception {
        CrailConfiguration configuration = cluster.configuration();
        configuration.set("crail.rpctimeout", "3s");
        Probe probe = Probe.attach(configuration);
        try (TestClient probed = TestClient.open(configuration)) {
            probe.loseAnswers(true);
            Upcoming<CrailNode> lookup = probed.store().lookup("/");
            long start = System.nanoTime();
            assertThatThrownBy(() -> lookup.get(100, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            assertThat(System.nanoTime() - start).isGreaterThan(90_000_000L);
            assertThat(lookup.isDone()).as("the lookup ends later").isFalse();

            assertFails(OperationTimeoutException.class, lookup);
            probe.loseAnswers(false);
            assertThat(probed.lookup("/")).isNotNull();
        }
    }

    @Test
    void shouldWrapTypedFailures() throws Exception {
        Upcoming<CrailNode> creation = client.creating("/missing/file", DATAFILE);

        assertThatThrownBy(() -> creation.get(10, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(ParentNotFoundException.class)
                .hasMessageContaining("/missing");
        assertThatThrownBy(() -> creation.get()).hasCauseInstanceOf(ParentNotFoundException.class);
    }

    @Test
    void shouldServeAsCompletableFuture() throws Exception {
        String path = TestClient.await(
                client.creating("/file", DATAFILE).toCompletableFuture().thenApply(CrailNode::getPath));
        assertThat(path).isEqualTo("/file");

        Throwable failure = TestClient.await(
                client.creating("/file", DATAFILE).toCompletableFuture().handle((node, thrown) -> thrown));
        assertThat(failure).isInstanceOf(NodeExistsException.class);
    }

    @Test
    void shouldGiveFilesThatCanBeWrittenEarly() throws Exception {
        client.create("/t", TABLE);
        CrailFile early = client.creating("/early", DATAFILE).early().asFile();
        TestClient.append(early, new byte[] {1, 2});
        CrailFile value = client.creating("/t/k", KEYVALUE).early().asKeyValue();
        TestClient.append(value, new byte[] {3});

        assertThat(client.read("/early")).containsExactly(1, 2);
        assertThat(client.read("/t/k")).containsExactly(3);
        assertThat(early.getPath()).isEqualTo("/early");
        assertThat(early.getCapacity()).isEqualTo(2);
    }

    @Test
    void shouldShowTheFailureOfAnEarlyFileOnFirstUse() throws Exception {
        CrailNode early = client.creating("/missing/file", DATAFILE).early();

        assertThatThrownBy(() -> early.asFile().getDirectOutputStream(0).close())
                .isInstanceOf(ParentNotFoundException.class);
    }

    @Test
    void shouldNotCancelWhatHasBeenSent() throws Exception {
        Upcoming<CrailNode> creation = client.creating("/file", DATAFILE);
        creation.cancel(true);

        Await.until("the file is there", () -> client.lookup("/file") != null);
    }

    @Test
    void shouldAnswerAfterCloseWithTypedErrors() throws Exception {
        TestClient other = anotherClient();
        other.createFile("/file");
        CrailNode file = other.lookup("/file");
        other.store().close();
        other.store().close();

        assertFails(ClosedException.class, () -> other.store().lookup("/file"));
        assertThatThrownBy(() -> file.getBlockLocations(0, 1)).isInstanceOf(ClosedException.class);
        assertThat(other.store().getStatistics()).isNotNull();
    }
}
