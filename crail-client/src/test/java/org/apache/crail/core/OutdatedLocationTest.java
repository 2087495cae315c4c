/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Set;
import java.util.TreeSet;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.error.StaleNodeException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.rpc.message.MapRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a store does with locations that were right once: after take-overs, long pauses, and in shrinking containers.
 */
class OutdatedLocationTest {
    private static final int BLOCK = TestCluster.BLOCK;

    private TestCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = new TestCluster();
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    private BlockInfo blockOf(CrailFile file, int index) throws Exception {
        long fd = ((CoreFile) file).getFd();
        return cluster.namenode
                .map(new MapRequest(fd, 0, (long) index * BLOCK, 1))
                .blocks()
                .get(0);
    }

    @Test
    void shouldFenceFormerWriterOffAlsoWhenTheTailHadBeenRead() throws Exception {
        byte[] before = TestCluster.pattern(BLOCK + 100, 1);
        TestCluster.write(cluster.file("/f"), before);
        CrailOutputStream former = cluster.lookup("/f").openForAppend(0);
        BlockInfo formerTail = blockOf(cluster.lookup("/f"), 1);
        cluster.pass(TestCluster.TOKEN_MS - 1_000);
        CoreDataStore other = cluster.newStore();
        CoreFile file = (CoreFile) other.lookup("/f").get().asFile();
        assertThat(TestCluster.read(file)).isEqualTo(before);
        cluster.pass(2_000);

        CrailOutputStream out = file.openForAppend(0);
        out.write(TestCluster.buffer(TestCluster.pattern(100, 2))).get();

        var late = cluster.tier
                .createClient(null)
                .createEndpoint(formerTail.getDnInfo())
                .write(TestCluster.buffer(new byte[100]), formerTail, 100);
        assertThatThrownBy(late::get).hasCauseInstanceOf(StaleBlockException.class);
        out.close();
        former.close(); // without news
        assertThat(Arrays.copyOfRange(TestCluster.read(cluster.lookup("/f")), BLOCK + 100, BLOCK + 200))
                .isEqualTo(TestCluster.pattern(100, 2));
    }

    @Test
    void shouldLeaveTheTokenOfAReplacementAlone() throws Exception {
        TestCluster.write(cluster.file("/f"), TestCluster.pattern(100, 1));
        CrailFile former = cluster.lookup("/f");
        cluster.store.delete("/f", false).get();
        TestCluster.write(cluster.file("/f"), TestCluster.pattern(200, 2));

        assertThatThrownBy(() -> former.openForAppend(0)).isInstanceOf(StaleNodeException.class);

        cluster.lookup("/f").openForAppend(0).close();
        assertThat(TestCluster.read(cluster.lookup("/f"))).isEqualTo(TestCluster.pattern(200, 2));
    }

    @Test
    void shouldListOnWhileTheContainerShrinks() throws Exception {
        cluster.create("/d", CrailNodeType.DIRECTORY).syncDir();
        for (int i = 0; i < 48; i++) {
            cluster.store
                    .create(
                            "/d/" + (100 + i),
                            CrailNodeType.DIRECTORY,
                            CrailStorageClass.PARENT,
                            CrailLocationClass.PARENT,
                            true)
                    .get()
                    .syncDir();
        }
        Iterator<String> listing = cluster.store.listEntries("/d");
        Set<String> listed = new TreeSet<>(Set.of(listing.next()));
        for (int i = 4; i < 48; i++) {
            cluster.store.delete("/d/" + (100 + i), true).get();
        }
        cluster.pass(TestCluster.TOKEN_MS);

        listing.forEachRemaining(listed::add);

        assertThat(listed).contains("/d/100", "/d/101", "/d/102", "/d/103");
        assertThat(cluster.checkBlocks().problems()).isEmpty();
    }
}
