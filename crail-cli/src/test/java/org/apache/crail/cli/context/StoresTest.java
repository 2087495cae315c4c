/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.crail.CrailStore;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.ClosedException;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.junit.jupiter.api.Test;

class StoresTest {
    @Test
    @SuppressWarnings("try") // the cluster's close declares Exception
    void shouldOpenOneStoreForEachConfiguration() throws Exception {
        try (MiniCluster cluster = MiniCluster.builder(ClusterKind.SOCKETS).start()) {
            CrailConfiguration conf = cluster.configuration();
            CrailConfiguration other = conf.copy();
            other.set("crail.rpctimeout", "9s");
            CrailStore store;
            try (Stores stores = new Stores()) {
                store = stores.of(conf);
                try (Stores borrowed = stores.borrow()) {
                    assertThat(borrowed.of(conf.copy())).isSameAs(store);
                    assertThat(borrowed.of(other)).isNotSameAs(store);
                }
                assertThat(store.lookup("/").get()).isNotNull();
            }
            assertThatThrownBy(() -> store.lookup("/").get()).isInstanceOf(ClosedException.class);
        }
    }
}
