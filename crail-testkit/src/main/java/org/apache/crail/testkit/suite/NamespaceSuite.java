/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit.suite;

import static org.apache.crail.CrailNodeType.DATAFILE;
import static org.apache.crail.CrailNodeType.DIRECTORY;
import static org.apache.crail.CrailNodeType.KEYVALUE;
import static org.apache.crail.CrailNodeType.MULTIFILE;
import static org.apache.crail.CrailNodeType.TABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.InvalidPathException;
import org.apache.crail.error.NodeExistsException;
import org.apache.crail.error.NodeTypeMismatchException;
import org.apache.crail.error.ParentNotContainerException;
import org.apache.crail.error.ParentNotFoundException;
import org.apache.crail.rpc.message.CheckResponse;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.TestClient;
import org.junit.jupiter.api.Test;

/** Creating nodes and finding them: types, names, errors. */
public abstract class NamespaceSuite extends ClusterSuite {
    private static final List<CrailNodeType> TYPES = List.of(DIRECTORY, DATAFILE, MULTIFILE, TABLE, KEYVALUE);

    @Override
    protected MiniCluster.Builder shape() throws Exception {
        return super.shape().blocksPerDatanode(160);
    }

    @Test
    void shouldFindNodesOfAllTypesThatWereCreated() throws Exception {
        Map<String, CrailNodeType> nodes = Map.of("/d", DIRECTORY, "/f", DATAFILE, "/m", MULTIFILE, "/t", TABLE);
        for (var node : nodes.entrySet()) {
            CrailNode created = client.create(node.getKey(), node.getValue());
            assertThat(created.getType()).isEqualTo(node.getValue());
            assertThat(created.getPath()).isEqualTo(node.getKey());
        }
        client.create("/t/k", KEYVALUE);
        for (var node : nodes.entrySet()) {
            CrailNode found = client.lookup(node.getKey());
            assertThat(found.getType()).isEqualTo(node.getValue());
            assertThat(found.getFileSystem()).isSameAs(client.store());
        }
        assertThat(client.lookup("/t/k").getType()).isEqualTo(KEYVALUE);
    }

    @Test
    void shouldGiveNullForALookupOfWhatDoesNotExist() throws Exception {
        client.createFile("/file");

        assertThat(client.lookup("/missing")).isNull();
        assertThat(client.lookup("/missing/below")).isNull();
        assertThat(client.lookup("/file/below")).isNull();
    }

    @Test
    void shouldFindTheRoot() throws Exception {
        assertThat(client.lookup("/").getType()).isEqualTo(DIRECTORY);
    }

    @Test
    void shouldLetContainersHoldTheirTypesOnly() throws Exception {
        for (CrailNodeType parent : List.of(DIRECTORY, MULTIFILE, TABLE)) {
            String path = "/" + parent;
            client.create(path, parent);
            for (CrailNodeType child : TYPES) {
                if (parent.canHold(child)) {
                    assertThat(client.create(path + "/" + child, child).getType())
                            .isEqualTo(child);
                } else {
                    assertFails(NodeTypeMismatchException.class, client.creating(path + "/" + child, child));
                    assertThat(client.lookup(path + "/" + child)).isNull();
                }
            }
        }
    }

    @Test
    void shouldRejectCreateWhenParentIsAFile() throws Exception {
        client.createFile("/file");

        CheckResponse before = cluster.checkBlocks();

        assertThatThrownBy(() -> TestClient.await(client.creating("/file/child", DATAFILE)))
                .isInstanceOf(ParentNotContainerException.class)
                .hasMessageContaining("component 1 of /file/child is a DATAFILE, which holds no nodes");
        assertThat(client.list("/")).containsExactly("file");
        CheckResponse after = cluster.checkBlocks();
        assertThat(after.nodes()).isEqualTo(before.nodes());
        assertThat(after.allocated()).isEqualTo(before.allocated());
    }

    @Test
    void shouldRejectCreateWhenParentDoesNotExist() throws Exception {
        assertFails(ParentNotFoundException.class, client.creating("/missing/child", DATAFILE));
        assertFails(ParentNotFoundException.class, client.creating("/missing/child/grandchild", DIRECTORY));
        assertThat(client.lookup("/missing")).isNull();
    }

    @Test
    void shouldLetTheFirstCreateWin() throws Exception {
        client.create("/name", DIRECTORY);
        client.create("/name/child", DATAFILE);

        for (CrailNodeType type : List.of(DIRECTORY, DATAFILE, MULTIFILE, TABLE)) {
            assertFails(NodeExistsException.class, client.creating("/name", type));
        }
        assertThat(client.lookup("/name/child").getType()).isEqualTo(DATAFILE);
    }

    @Test
    void shouldRefuseToCreateTheRootAndStreamFiles() {
        assertFails(CrailException.class, () -> client.creating("/", DIRECTORY));
        assertFails(CrailException.class, () -> client.creating("/stream", CrailNodeType.STREAMFILE));
    }

    @Test
    void shouldNotCareForLeadingTrailingAndDoubledSlashes() throws Exception {
        client.create("directory/", DIRECTORY);
        client.createFile("directory//file");

        assertThat(client.lookup("/directory/file/").getType()).isEqualTo(DATAFILE);
        assertThat(client.lookup("/directory").getType()).isEqualTo(DIRECTORY);
    }

    /** D7: names with equal hashes are different nodes. */
    @Test
    void shouldKeepNamesOfEqualHashApart() throws Exception {
        assertThat("Aa".hashCode()).isEqualTo("BB".hashCode());
        client.write("/Aa", new byte[] {1});
        client.write("/BB", new byte[] {2, 2});

        assertThat(client.read("/Aa")).containsExactly(1);
        assertThat(client.read("/BB")).containsExactly(2, 2);
        client.delete("/Aa", false);
        assertThat(client.lookup("/BB")).isNotNull();
    }

    /** D37: names are UTF-8, whatever the platform's character set is. */
    @Test
    void shouldKeepNamesOfAllScripts() throws Exception {
        List<String> names = List.of("héllo", "日本語", "\uD83D\uDE80", " blank ", "a\tb", "%41", "ä", "a\u0308");
        for (String name : names) {
            client.write("/" + name, name.getBytes(StandardCharsets.UTF_8));
        }

        assertThat(client.list("/")).containsExactlyInAnyOrderElementsOf(names);
        for (String name : names) {
            assertThat(client.read("/" + name)).isEqualTo(name.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void shouldTakeNamesOf255BytesAndListThem() throws Exception {
        String ascii = "x".repeat(255);
        String wide = "語".repeat(85);
        client.createFile("/" + ascii);
        client.createFile("/" + wide);

        assertThat(client.lookup("/" + ascii)).isNotNull();
        assertThat(client.list("/")).containsExactlyInAnyOrder(ascii, wide);
    }

    @Test
    void shouldRejectMalformedPathsAtOnce() {
        for (String path :
                List.of("/" + "x".repeat(256), "/a".repeat(512), "/a/../b", "/./a", "..", "/語" + "x".repeat(253))) {
            assertThatThrownBy(() -> client.lookup(path)).isInstanceOf(InvalidPathException.class);
            assertThatThrownBy(() -> client.creating(path, DATAFILE)).isInstanceOf(InvalidPathException.class);
            assertThatThrownBy(() -> client.delete(path, true)).isInstanceOf(InvalidPathException.class);
            assertThatThrownBy(() -> client.rename("/a", path)).isInstanceOf(InvalidPathException.class);
        }
    }

    @Test
    void shouldGoDeeperThanSixteenLevels() throws Exception {
        StringBuilder path = new StringBuilder();
        for (int level = 0; level < 100; level++) {
            path.append("/level").append(level);
            client.create(path.toString(), DIRECTORY);
        }
        client.write(path + "/file", new byte[] {42});

        assertThat(client.read(path + "/file")).containsExactly(42);
    }

    @Test
    void shouldRefuseHandlesOfOtherTypes() throws Exception {
        client.create("/t", TABLE);
        CrailNode directory = client.create("/d", DIRECTORY);
        CrailNode file = client.create("/f", DATAFILE);
        CrailNode value = client.create("/t/k", KEYVALUE);

        assertThatThrownBy(directory::asFile).isInstanceOf(NodeTypeMismatchException.class);
        assertThatThrownBy(directory::asTable).isInstanceOf(NodeTypeMismatchException.class);
        assertThatThrownBy(directory::asMultiFile).isInstanceOf(NodeTypeMismatchException.class);
        assertThatThrownBy(file::asContainer).isInstanceOf(NodeTypeMismatchException.class);
        assertThatThrownBy(file::asKeyValue).isInstanceOf(NodeTypeMismatchException.class);
        assertThatThrownBy(value::asFile).isInstanceOf(NodeTypeMismatchException.class);
        assertThat(directory.asDirectory()).isSameAs(directory.asContainer());
        assertThat(value.asKeyValue().getCapacity()).isZero();
    }

    @Test
    void shouldTellCapacityAndModificationTime() throws Exception {
        long before = client.create("/before", DATAFILE).getModificationTime();
        client.write("/file", new byte[1000]);
        long after = client.create("/after", DATAFILE).getModificationTime();
        CrailNode found = client.lookup("/file");

        assertThat(found.getCapacity()).isEqualTo(1000);
        assertThat(found.getModificationTime())
                .isBetween(before, after); // by the namenode's clock, which may not be ours
        long dayMs = TimeUnit.DAYS.toMillis(1);
        assertThat(System.currentTimeMillis() - after).isBetween(-dayMs, dayMs);
        assertThat(client.create("/empty", DATAFILE).getCapacity()).isZero();
        assertThat(client.lookup("/").getCapacity()).isEqualTo(4 * 512);
    }
}
