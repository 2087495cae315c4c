/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Probe;
import org.apache.crail.testkit.TestClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A cluster with one more store on it, whose calls and transfers are counted. Used by one test thread. */
public abstract class ProbedSuite extends ClusterSuite {
    /** Sees what {@link #probed} does. */
    protected Probe probe;

    /** A store of its own, through the probe. */
    protected TestClient probed;

    /** For subclasses. */
    protected ProbedSuite() {}

    @Override
    protected MiniCluster.Builder shape() throws Exception {
        return super.shape()
                .with("crail.tokenexpiration", "60s")
                .with("crail.storage.keepalive", "1s"); // no datanode is lost, however slow the machine is
    }

    @BeforeEach
    void openProbedStore() throws Exception {
        CrailConfiguration configuration = cluster.configuration();
        probe = Probe.attach(configuration);
        probed = TestClient.open(configuration);
    }

    @AfterEach
    void closeProbedStore() throws Exception {
        probed.close();
    }
}
