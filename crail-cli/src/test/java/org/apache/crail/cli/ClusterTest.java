/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli;

import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** A cluster for the commands of a test class; after each test its tree is emptied and its blocks are counted. */
abstract class ClusterTest {
    private static MiniCluster cluster;

    @BeforeAll
    static void startCluster() throws Exception {
        cluster = MiniCluster.builder(ClusterKind.SOCKETS)
                .datanodes(2)
                .blocksPerDatanode(512)
                .with("crail.storage.keepalive", "10s") // no datanode is silent because the machine is busy
                .start();
    }

    @AfterAll
    static void stopCluster() throws Exception {
        cluster.close();
    }

    @AfterEach
    void emptyTree() throws Exception {
        for (String path : crail("fs", "-ls", "-C", "/").ok().lines()) {
            crail("fs", "-rm", "-r", path).ok();
        }
        cluster.checkBlocks();
    }

    static MiniCluster cluster() {
        return cluster;
    }

    /** Runs a command on the cluster. */
    static CommandRun crail(String... arguments) {
        return CommandRun.of(cluster.configuration(), arguments);
    }

    static CommandRun crailWithInput(byte[] in, String... arguments) {
        return CommandRun.of(cluster.configuration(), in, arguments);
    }
}
