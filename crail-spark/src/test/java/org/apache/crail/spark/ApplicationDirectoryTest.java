/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.Upcoming;
import org.apache.crail.testkit.Await;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.ForwardingStore;
import org.apache.crail.testkit.MiniCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of an application's directory. */
@Tag("spark")
@Timeout(120)
class ApplicationDirectoryTest {
    private static final String PATH = ApplicationDirectory.ROOT + "/application";

    private MiniCluster cluster;
    private CrailStore store;

    @BeforeEach
    void start() throws Exception {
        cluster = MiniCluster.builder(ClusterKind.MEMORY).start();
        store = cluster.newStore();
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    private boolean isThere() throws Exception {
        return store.lookup(PATH).get() != null;
    }

    @Test
    void shouldGoWithTheLastWhoUsesIt() throws Exception {
        ApplicationDirectory shuffles = ApplicationDirectory.use(store, PATH);
        ApplicationDirectory broadcasts = ApplicationDirectory.use(store, PATH);
        assertThat(broadcasts).isSameAs(shuffles);
        shuffles.leave();
        assertThat(isThere()).isTrue();
        broadcasts.leave();
        assertThat(isThere()).isFalse();
    }

    @Test
    void shouldNotBeMadeAgainByARenewalThatIsUnderWay() throws Exception {
        CountDownLatch renewing = new CountDownLatch(2); // the first one makes it
        CompletableFuture<Void> goOn = new CompletableFuture<>();
        CompletableFuture<Void> renewed = new CompletableFuture<>();
        CrailStore slow = new ForwardingStore(store) {
            @Override
            public Upcoming<CrailNode> create(
                    String path,
                    CrailNodeType type,
                    CrailStorageClass storageClass,
                    CrailLocationClass locationClass,
                    boolean enumerable)
                    throws Exception {
                if (path.equals(PATH)) {
                    renewing.countDown();
                }
                if (renewing.getCount() > 0) {
                    return super.create(path, type, storageClass, locationClass, enumerable);
                }
                goOn.join(); // a request that is under way knows no interrupt
                var made = super.create(path, type, storageClass, locationClass, enumerable);
                renewed.complete(null);
                return made;
            }
        };
        ApplicationDirectory directory = ApplicationDirectory.use(slow, PATH, 1);
        renewing.await();
        Thread leaving = new Thread(directory::leave);
        leaving.start();
        Await.until(
                "the end waits, or has come",
                () -> leaving.getState() == Thread.State.TIMED_WAITING || !leaving.isAlive());
        goOn.complete(null);
        renewed.join();
        leaving.join();
        assertThat(isThere()).isFalse();
    }
}
