/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.apache.crail.CrailNodeType.DATAFILE;
import static org.apache.crail.CrailNodeType.DIRECTORY;
import static org.apache.crail.CrailNodeType.KEYVALUE;
import static org.apache.crail.CrailNodeType.MULTIFILE;
import static org.apache.crail.CrailNodeType.TABLE;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.crail.CrailFile;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InvalidMoveException;
import org.apache.crail.error.NodeTypeMismatchException;
import org.apache.crail.error.NotEmptyException;
import org.apache.crail.error.StaleNodeException;
import org.apache.crail.testkit.Await;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.Patience;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.Rounds;
import org.apache.crail.testkit.TestClient;
import org.junit.jupiter.api.Test;

/** Deleting and renaming nodes. */
public abstract class RenameDeleteSuite extends ClusterSuite {
    @Override
    protected MiniCluster.Builder shape() throws Exception {
        return super.shape().with("crail.tokenexpiration", Patience.ofMs(1_000)); // deleted blocks are soon free again
    }

    @Test
    void shouldDeleteNodesOfAllTypes() throws Exception {
        client.create("/t", TABLE);
        client.create("/t/k", KEYVALUE);
        client.create("/d", DIRECTORY);
        client.create("/m", MULTIFILE);
        client.create("/f", DATAFILE);

        for (String path : new String[] {"/t/k", "/t", "/d", "/m", "/f"}) {
            assertThat(client.delete(path, false)).isNotNull();
            assertThat(client.lookup(path)).isNull();
        }
        assertThat(client.list("/")).isEmpty();
    }

    @Test
    void shouldGiveNullForADeleteOfWhatDoesNotExist() throws Exception {
        assertThat(client.delete("/missing", false)).isNull();
        assertThat(client.delete("/missing/below", true)).isNull();
    }

    /** D2: a container with children is deleted only when that is asked for. */
    @Test
    void shouldKeepAContainerWithChildrenUnlessDeletedRecursively() throws Exception {
        client.create("/t", TABLE);
        client.put("/t/hidden", new byte[10]);
        for (CrailNodeType type : new CrailNodeType[] {DIRECTORY, MULTIFILE}) {
            client.create("/" + type, type);
            client.write("/" + type + "/file", new byte[10]);
        }
        for (String path : new String[] {"/t", "/DIRECTORY", "/MULTIFILE"}) {
            assertFails(NotEmptyException.class, client.store().delete(path, false));
            assertThat(client.lookup(path)).isNotNull();
        }
        assertThat(client.read("/DIRECTORY/file")).hasSize(10);
        assertThat(client.read("/t/hidden")).hasSize(10);

        for (String path : new String[] {"/t", "/DIRECTORY", "/MULTIFILE"}) {
            assertThat(client.delete(path, true)).isNotNull();
            assertThat(client.lookup(path)).isNull();
        }
        assertThat(client.lookup("/DIRECTORY/file")).isNull();
    }

    @Test
    void shouldGiveAllBlocksBackWhenADeepTreeIsDeleted() throws Exception {
        long free = cluster.checkBlocks().free();
        StringBuilder path = new StringBuilder();
        for (int level = 0; level < 5; level++) {
            path.append("/d").append(level);
            client.create(path.toString(), DIRECTORY);
            client.write(path + "/file", new byte[BLOCK + 1]);
        }
        client.delete("/d0", true);

        assertThat(cluster.checkBlocks().nodes()).isEqualTo(1);
        Await.until("blocks are free again", () -> cluster.checkBlocks().free() == free);
        assertThat(client.list("/")).isEmpty();
    }

    @Test
    void shouldRefuseToDeleteTheRoot() throws Exception {
        client.createFile("/file");

        assertFails(CrailException.class, () -> client.store().delete("/", true));
        assertThat(client.lookup("/file")).isNotNull();
    }

    @Test
    void shouldMakeHandlesOfDeletedFilesStale() throws Exception {
        CrailFile file = client.createFile("/file");
        client.delete("/file", false);

        assertFails(StaleNodeException.class, () -> {
            TestClient.append(file, new byte[3 * BLOCK]);
            return null;
        });
    }

    @Test
    void shouldCreateAgainWhatWasDeleted() throws Exception {
        for (int round = 0; round < Rounds.of(10); round++) {
            client.write("/file", new byte[] {(byte) round});
            assertThat(client.read("/file")).containsExactly(round);
            client.delete("/file", false);
        }
        assertThat(client.list("/")).isEmpty();
    }

    @Test
    void shouldRenameAFileAndAPopulatedDirectory() throws Exception {
        client.create("/a", DIRECTORY);
        client.write("/a/file", new byte[] {1});
        client.create("/b", DIRECTORY);

        assertThat(client.rename("/a/file", "/a/renamed").getPath()).isEqualTo("/a/renamed");
        assertThat(client.rename("/a", "/b/c").getPath()).isEqualTo("/b/c");

        assertThat(client.read("/b/c/renamed")).containsExactly(1);
        assertThat(client.lookup("/a")).isNull();
        assertThat(client.list("/")).containsExactly("b");
        assertThat(client.list("/b")).containsExactly("c");
        assertThat(client.list("/b/c")).containsExactly("renamed");
    }

    /** D3: what is renamed onto a directory moves into it under its own name. */
    @Test
    void shouldMoveIntoAnExistingDirectoryUnderItsOwnName() throws Exception {
        client.write("/file", new byte[] {7});
        client.create("/d", DIRECTORY);

        assertThat(client.rename("/file", "/d").getPath()).isEqualTo("/d/file");

        assertThat(client.read("/d/file")).containsExactly(7);
        assertThat(client.lookup("/file")).isNull();
        assertThat(client.list("/d")).containsExactly("file");
        assertThat(client.list("/")).containsExactly("d");
    }

    /** D4: a directory never moves below itself. */
    @Test
    void shouldRefuseToMoveADirectoryBelowItself() throws Exception {
        client.create("/a", DIRECTORY);
        client.create("/a/b", DIRECTORY);
        client.write("/a/b/file", new byte[] {1});

        assertFails(InvalidMoveException.class, client.store().rename("/a", "/a/b/c"));
        assertFails(InvalidMoveException.class, client.store().rename("/a", "/a/b"));

        assertThat(client.read("/a/b/file")).containsExactly(1);
        assertThat(client.list("/a")).containsExactly("b");
    }

    @Test
    void shouldGiveNullForARenameWithoutSourceOrFreeDestination() throws Exception {
        client.write("/a", new byte[] {1});
        client.write("/b", new byte[] {2});

        assertThat(client.rename("/missing", "/c")).isNull();
        assertThat(client.rename("/a", "/missing/c")).isNull();
        assertThat(client.rename("/a", "/b")).isNull();

        assertThat(client.read("/a")).containsExactly(1);
        assertThat(client.read("/b")).containsExactly(2);
        assertThat(client.list("/")).containsExactly("a", "b");
    }

    @Test
    void shouldRefuseToMoveTheRootOrToBreakStackingRules() throws Exception {
        client.create("/d", DIRECTORY);
        client.create("/t", TABLE);
        client.createFile("/f");

        assertFails(CrailException.class, () -> client.store().rename("/", "/d/root"));
        assertFails(NodeTypeMismatchException.class, client.store().rename("/f", "/t/f"));
        assertThat(client.lookup("/f")).isNotNull();
        assertThat(client.list("/")).containsExactly("d", "f", "t");
    }

    @Test
    void shouldKeepWritingToAFileThatIsRenamedMeanwhile() throws Exception {
        CrailOutputStream stream = client.createFile("/a").getDirectOutputStream(0);
        TestClient.await(stream.write(TestClient.buffer(Pattern.of(1, 100))));
        client.rename("/a", "/b");
        TestClient.await(stream.write(TestClient.buffer(Pattern.of(1, 100, 2 * BLOCK))));
        stream.close();
        client.append("/b", Pattern.of(1, 100 + 2 * BLOCK, 7));

        assertThat(client.read("/b")).isEqualTo(Pattern.of(1, 107 + 2 * BLOCK));
    }
}
