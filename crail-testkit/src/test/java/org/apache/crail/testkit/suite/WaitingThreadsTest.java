/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.apache.crail.CrailNodeType.TABLE;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.crail.CrailOutputStream;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.TestClient;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Threads that wait look for answers of the namenode themselves before they sleep.
 */
final class WaitingThreadsTest extends ProbedSuite {
    private static final int VALUES = 100;

    @Override
    protected ClusterKind kind() {
        return ClusterKind.MAPPED;
    }

    @BeforeEach
    void createTable() throws Exception {
        client.create("/t", TABLE);
    }

    @Test
    void shouldLookForResultsOfOperations() throws Exception {
        long before = probe.looks();
        for (int i = 0; i < VALUES; i++) {
            probed.putting("/t/" + i);
        }
        assertThat(probe.looks()).isGreaterThan(before);
    }

    @Test
    void shouldLookForAnswersToClosesOfStreams() throws Exception {
        long looks = 0;
        for (int i = 0; i < VALUES; i++) {
            CrailOutputStream stream = probed.putting("/t/" + i).getDirectOutputStream(1);
            TestClient.await(stream.write(TestClient.buffer(new byte[] {1})));
            long before = probe.looks();
            stream.close();
            looks += probe.looks() - before;
        }
        assertThat(looks).isPositive();
    }
}
