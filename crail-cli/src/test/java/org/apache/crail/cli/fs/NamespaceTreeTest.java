/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.junit.jupiter.api.Test;

class NamespaceTreeTest {
    /** Otherwise nobody would know what there is to clean up. */
    @Test
    @SuppressWarnings("try") // the cluster's close declares Exception
    void shouldWaitForTheOutcomeOfAChangeOnAnInterruptedThread() throws Exception {
        try (MiniCluster cluster = MiniCluster.builder(ClusterKind.SOCKETS).start()) {
            NamespaceTree tree = new NamespaceTree(cluster.newStore(), cluster.configuration());
            CrailPath path = CrailPath.parse("/f");

            Thread.currentThread().interrupt();
            CrailNode created = tree.create(path, CrailNodeType.DATAFILE);

            assertThat(Thread.interrupted()).isTrue();
            assertThat(created.getPath()).isEqualTo("/f");
            assertThat(tree.children(tree.find(CrailPath.parse("/")))).hasSize(1);
        }
    }
}
