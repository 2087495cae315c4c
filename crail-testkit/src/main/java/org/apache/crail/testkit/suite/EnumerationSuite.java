/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.apache.crail.CrailNodeType.DATAFILE;
import static org.apache.crail.CrailNodeType.DIRECTORY;
import static org.apache.crail.CrailNodeType.KEYVALUE;
import static org.apache.crail.CrailNodeType.MULTIFILE;
import static org.apache.crail.CrailNodeType.TABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.crail.CrailContainer;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.Upcoming;
import org.apache.crail.rpc.message.ChildrenRequest;
import org.apache.crail.testkit.Await;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Rounds;
import org.apache.crail.testkit.TestClient;
import org.junit.jupiter.api.Test;

/** Listing containers. */
public abstract class EnumerationSuite extends ClusterSuite {
    /** More than the namenode answers at once. */
    private static final int SEVERAL_PAGES = 2 * ChildrenRequest.MAX_COUNT + 5;

    private static final int SOME = 130;

    @Override
    protected MiniCluster.Builder shape() throws Exception {
        return super.shape().blocksPerDatanode(768);
    }

    @Test
    void shouldListFullPathsOfAllChildrenOverSeveralPages() throws Exception {
        int children = SEVERAL_PAGES;
        client.create("/d", DIRECTORY);
        createAll(client, "/d", "f", children, DIRECTORY);

        CrailContainer directory = client.lookup("/d").asDirectory();
        List<String> entries = drain(directory.listEntries());

        assertThat(entries)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, children).mapToObj(i -> "/d/f" + i).toList());
        assertThat(directory.files()).isEqualTo(children);
    }

    @Test
    void shouldListTheRootAndAllKindsOfContainers() throws Exception {
        client.create("/t", TABLE);
        client.create("/t/k", KEYVALUE);
        client.create("/m", MULTIFILE);
        client.create("/m/f", DATAFILE);
        client.create("/empty", DIRECTORY);

        assertThat(client.list("/")).containsExactly("empty", "m", "t");
        assertThat(client.list("/t")).containsExactly("k");
        assertThat(client.list("/m")).containsExactly("f");
        assertThat(client.list("/empty")).isEmpty();
    }

    @Test
    void shouldListEveryNameOnceWithoutShuffling() throws Exception {
        var configuration = cluster.configuration();
        configuration.set("crail.directoryrandomize", "false");
        try (TestClient ordered = TestClient.open(configuration)) {
            createAll(client, "/", "f", 200, DATAFILE);
            assertThat(ordered.list("/")).hasSize(200).doesNotHaveDuplicates();
        }
    }

    /** D34: a deleted name is never listed. */
    @Test
    void shouldNotListNamesAfterTheirDeletionCompleted() throws Exception {
        int half = Rounds.of(50);
        createAll(client, "/", "f", 2 * half, DATAFILE);
        TestClient other = anotherClient();
        for (int i = 0; i < 2 * half; i += 2) {
            TestClient.await(client.store().delete("/f" + i, false));
            assertThat(other.list("/")).doesNotContain("f" + i);
        }
        assertThat(client.list("/")).hasSize(half);
        assertThat(client.lookup("/").asDirectory().files()).isEqualTo(half);
    }

    /** D19: a container holds no block, however many children it has or had. */
    @Test
    void shouldHoldNoBlock() throws Exception {
        client.create("/d", DIRECTORY);
        long freeBytes = client.store().namespace().capacity().get().freeBytes();
        for (int i = 0; i < SOME; i++) {
            client.create("/d/d" + i, DIRECTORY);
        }

        assertThat(client.store().namespace().capacity().get().freeBytes()).isEqualTo(freeBytes);
        assertThat(client.lookup("/d").getCapacity()).as("as in Crail 1.x").isEqualTo(SOME * 512L);
        assertThat(client.lookup("/d").getBlockLocations(0, SOME * 512L)).isEmpty();
    }

    @Test
    void shouldHideWhatIsNotEnumerable() throws Exception {
        TestClient.await(client.store()
                .create("/hidden", DATAFILE, CrailStorageClass.DEFAULT, CrailLocationClass.DEFAULT, false));
        client.createFile("/shown");

        assertThat(client.list("/")).containsExactly("shown");
        assertThat(client.lookup("/hidden")).isNotNull();
        assertThat(client.lookup("/").asDirectory().files()).isEqualTo(1);
        client.delete("/hidden", false);
        assertThat(client.list("/")).containsExactly("shown");
    }

    @Test
    void shouldShowANameToOthersAfterSyncDir() throws Exception {
        TestClient other = anotherClient();
        for (int i = 0; i < Rounds.of(50); i++) {
            TestClient.await(client.creating("/f" + i, DATAFILE)).syncDir();
            assertThat(other.list("/")).contains("f" + i);
        }
    }

    /** D35: the name is listed whether or not anybody asks the future. */
    @Test
    void shouldShowANameWhoseCreationNobodyAskedFor() throws Exception {
        client.creating("/unasked", DATAFILE);

        Await.until("the name is listed", () -> client.list("/").contains("unasked"));
    }

    @Test
    void shouldKeepWorkingWhenIteratorsAreAbandoned() throws Exception {
        createAll(client, "/", "f", 2 * SOME, DATAFILE);
        for (int i = 0; i < Rounds.of(300); i++) {
            Iterator<String> abandoned = client.lookup("/").asDirectory().listEntries();
            assertThat(abandoned.next()).startsWith("/f");
        }
        assertThat(client.list("/")).hasSize(2 * SOME);
    }

    /** As in Crail 1.x. */
    @Test
    void shouldGiveNullBehindTheLastEntry() throws Exception {
        client.createFile("/only");
        Iterator<String> entries = client.lookup("/").asDirectory().listEntries();

        assertThat(entries.next()).isEqualTo("/only");
        assertThat(entries.hasNext()).isFalse();
        assertThat(entries.next()).isNull();
    }

    @Test
    void shouldRefuseToListAContainerThatIsGone() throws Exception {
        CrailContainer directory = client.create("/d", DIRECTORY).asContainer();
        client.delete("/d", false);

        assertThatThrownBy(() -> drain(directory.listEntries()))
                .satisfiesAnyOf(e -> assertThat(e).isInstanceOf(IOException.class), e -> assertThat(e)
                        .isInstanceOf(java.io.UncheckedIOException.class));
    }

    @Test
    void shouldListAllChildrenThatTwoClientsCreateAtOnce() throws Exception {
        client.create("/d", DIRECTORY);
        TestClient other = anotherClient();
        List<Upcoming<CrailNode>> creations = new ArrayList<>();
        int count = Rounds.of(300);
        for (int i = 0; i < count; i++) {
            creations.add(client.creating("/d/a" + i, DATAFILE));
            creations.add(other.creating("/d/b" + i, DATAFILE));
        }
        for (Upcoming<CrailNode> creation : creations) {
            TestClient.await(creation).syncDir();
        }

        assertThat(client.list("/d")).hasSize(2 * count).isEqualTo(other.list("/d"));
    }

    @Test
    void shouldListReplacedKeyValuesOnce() throws Exception {
        client.create("/t", TABLE);
        for (int round = 0; round < Rounds.of(20); round++) {
            client.create("/t/key", CrailNodeType.KEYVALUE);
        }
        assertThat(client.list("/t")).containsExactly("key");
        assertThat(client.lookup("/t").asTable().files()).isEqualTo(1);
    }

    private static void createAll(TestClient client, String parent, String prefix, int count, CrailNodeType type)
            throws Exception {
        List<Upcoming<CrailNode>> creations = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            creations.add(client.creating(parent + "/" + prefix + i, type));
        }
        for (Upcoming<CrailNode> creation : creations) {
            TestClient.await(creation).syncDir();
        }
    }

    private static List<String> drain(Iterator<String> entries) {
        List<String> all = new ArrayList<>();
        entries.forEachRemaining(all::add);
        return all;
    }
}
