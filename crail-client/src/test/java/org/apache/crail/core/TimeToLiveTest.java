/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.time.Duration;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailTable;
import org.apache.crail.error.StaleNodeException;
import org.apache.crail.metadata.Lifetime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nodes of a store that go by themselves. */
class TimeToLiveTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private TestCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = new TestCluster();
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    /** Lets time pass in steps, as a namenode that runs looks at its clock. */
    private void pass(Duration time) throws Exception {
        for (long leftMs = time.toMillis(); leftMs > 0; leftMs -= 1_000) {
            cluster.pass(Math.min(leftMs, 1_000));
        }
    }

    private boolean exists(String path) throws Exception {
        return cluster.store.lookup(path).get() != null;
    }

    @Test
    void shouldCreateAFileThatGoesByItself() throws Exception {
        CrailFile file = cluster.store
                .create("/f", CrailNodeType.DATAFILE, CrailStorageClass.PARENT, CrailLocationClass.PARENT, true, MINUTE)
                .get()
                .asFile();
        TestCluster.write(file, TestCluster.pattern(100, 1));
        pass(MINUTE.minusSeconds(1));
        assertThat(exists("/f")).isTrue();
        CrailFile handle = cluster.lookup("/f");

        pass(Duration.ofSeconds(2));

        assertThat(exists("/f")).isFalse();
        pass(Duration.ofMillis(TestCluster.TOKEN_MS));
        assertThatThrownBy(() -> TestCluster.read(handle)).hasRootCauseInstanceOf(StaleNodeException.class);
    }

    @Test
    void shouldPutAValueThatGoesByItself() throws Exception {
        CrailTable table = cluster.create("/t", CrailNodeType.TABLE).asTable();
        table.put("short", ByteBuffer.allocate(9), MINUTE).get();
        table.put("long", ByteBuffer.allocate(9)).get();
        pass(MINUTE.plusSeconds(1));
        assertThat(table.get("short").get()).isNull();
        assertThat(table.get("long").get()).hasSize(9);
    }

    @Test
    void shouldTellAndTakeBackWhatIsSet() throws Exception {
        cluster.create("/d", CrailNodeType.DIRECTORY);
        assertThat(cluster.store.setTimeToLive("/d", MINUTE).get().lifetime())
                .isEqualTo(new Lifetime(MINUTE.toMillis(), Lifetime.ENDLESS, false));
        assertThat(cluster.store.expire("/d", MINUTE).get().lifetime().remainingMs())
                .isEqualTo(MINUTE.toMillis());
        TestCluster.write(cluster.file("/d/f"), TestCluster.pattern(10, 1));

        cluster.store.expire("/d", Duration.ZERO).get();
        cluster.store.setTimeToLive("/d/f", Duration.ZERO).get();
        pass(MINUTE.multipliedBy(2));

        assertThat(exists("/d/f")).isTrue();
        assertThatThrownBy(() -> cluster.store.expire("/d", MINUTE.negated()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("zero stands for no limit");
    }
}
