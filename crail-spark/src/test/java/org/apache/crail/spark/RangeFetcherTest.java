/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.BitSet;
import java.util.List;
import org.apache.crail.CrailNamespace;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.Upcoming;
import org.apache.crail.error.ErrorCode;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.ForwardingStore;
import org.apache.crail.testkit.MiniCluster;
import org.apache.spark.TaskContext$;
import org.apache.spark.shuffle.FetchFailedException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who is taken for away where an answer does not come in time. */
@Tag("spark")
@Timeout(120)
class RangeFetcherTest {
    private static final int SHUFFLE = 1;
    private static final long MAP = 2;

    private MiniCluster cluster;
    private CrailStore store;

    @BeforeEach
    void start() throws Exception {
        cluster = MiniCluster.builder(ClusterKind.MEMORY).start();
        store = cluster.newStore();
        ApplicationDirectory.createDirectory(store, "/app");
        ApplicationDirectory.createDirectory(store, "/app/" + SHUFFLE);
        Object ignored = new MapOutputs(store, "/app", CrailStorageClass.DEFAULT).create(SHUFFLE, "2");
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    private static IOException silence() {
        return ErrorCode.TIMEOUT.exception("to show");
    }

    /** Reads end without an answer; the namenode answers to whoever asks it where a file is. */
    private class SilentStore extends ForwardingStore {
        SilentStore() {
            super(store);
        }

        @Override
        public Upcoming<CrailNode> lookup(String path) throws Exception {
            throw silence();
        }
    }

    /** The namenode does not answer at all. */
    private final class SilentNamenode extends SilentStore {
        @Override
        public CrailNamespace namespace() {
            Class<?> all = CrailNamespace.class;
            return (CrailNamespace) Proxy.newProxyInstance(all.getClassLoader(), new Class<?>[] {all}, (p, m, a) -> {
                throw silence();
            });
        }
    }

    private static void fetch(CrailStore from) throws Exception {
        BitSet filled = new BitSet();
        filled.set(0);
        ReadPlan plan = new ReadPlan(SHUFFLE, 0, 1, 0, 1);
        MapRange range =
                new MapRange(plan, new OutputPlace(SHUFFLE, MAP, "2", 0, 1).location("localhost"), MAP, 0, filled, 1);
        RangeFetcher.Limits limits = new RangeFetcher.Limits(1 << 20, 0);
        try (RangeFetcher fetcher = new RangeFetcher(
                new MapOutputs(from, "/app", CrailStorageClass.DEFAULT),
                1,
                List.of(range),
                TaskContext$.MODULE$.empty(),
                limits)) {
            Object ignored = fetcher.next();
        }
    }

    @Test
    void shouldTakeNoOutputForLostWhereTheNamenodeDoesNotAnswer() {
        assertThatThrownBy(() -> fetch(new SilentNamenode()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot read the output of map task 0");
    }

    @Test
    void shouldTakeAnOutputForLostWhereOnlyItsDatanodeDoesNotAnswer() {
        assertThatThrownBy(() -> fetch(new SilentStore())).isInstanceOf(FetchFailedException.class);
    }
}
