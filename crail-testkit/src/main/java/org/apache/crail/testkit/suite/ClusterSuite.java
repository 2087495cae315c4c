/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import org.apache.crail.error.CrailException;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.TestClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * A cluster of its own for each test, with a store on it; after each test all blocks are counted. Used by one test
 * thread.
 */
public abstract class ClusterSuite {
    /** The size of a block, in bytes. */
    protected static final int BLOCK = 64 * 1024;

    /** The cluster of this test. */
    protected MiniCluster cluster;

    /** A store on the cluster. */
    protected TestClient client;

    /** For subclasses. */
    protected ClusterSuite() {}

    /** What the cluster consists of. */
    protected abstract ClusterKind kind();

    /** What the cluster of each test is like. */
    protected MiniCluster.Builder shape() throws Exception {
        return MiniCluster.builder(kind());
    }

    @BeforeEach
    void startCluster() throws Exception {
        cluster = shape().start();
        client = new TestClient(cluster.newStore());
    }

    @AfterEach
    void closeClusterWithBlocksConserved() throws Exception {
        try (MiniCluster closing = cluster) {
            if (closing != null) {
                closing.checkBlocks();
            }
        }
    }

    /** Another store on the cluster, closed with it. */
    protected TestClient anotherClient() throws Exception {
        return new TestClient(cluster.newStore());
    }

    /** Fails unless the future fails with this type. */
    protected static void assertFails(Class<? extends CrailException> type, Future<?> future) {
        assertThatThrownBy(() -> TestClient.await(future)).isInstanceOf(type);
    }

    /** Fails unless the call, or the wait for its future, fails with this type. */
    protected static void assertFails(Class<? extends CrailException> type, Callable<? extends Future<?>> call) {
        assertThatThrownBy(() -> TestClient.await(call.call())).isInstanceOf(type);
    }
}
