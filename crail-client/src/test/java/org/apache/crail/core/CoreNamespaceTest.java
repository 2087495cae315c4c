/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.crail.CrailBlockLocation;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNamespace;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.InvalidPathException;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.error.NodeExistsException;
import org.apache.crail.error.NodeNotFoundException;
import org.apache.crail.error.NodeTypeMismatchException;
import org.apache.crail.error.ParentNotFoundException;
import org.apache.crail.error.PositionOutOfRangeException;
import org.apache.crail.error.StaleNodeException;
import org.apache.crail.metadata.ChildrenPage;
import org.apache.crail.metadata.MoveMode;
import org.apache.crail.metadata.NodeStatus;
import org.apache.crail.metadata.Ownership;
import org.apache.crail.metadata.StatusChange;
import org.apache.crail.metadata.StoreCapacity;
import org.apache.crail.rpc.message.MapRequest;
import org.apache.crail.rpc.message.Operation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CoreNamespaceTest {
    private static final Ownership ANNA = new Ownership("anna", "staff", 0640);

    private TestCluster cluster;
    private CoreDataStore store;
    private CrailNamespace namespace;

    @BeforeEach
    void start() throws Exception {
        cluster = new TestCluster(256);
        store = cluster.store;
        namespace = store.namespace();
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    private CrailNode create(String path, CrailNodeType type, boolean replace) throws Exception {
        return namespace
                .create(path, type, CrailStorageClass.PARENT, CrailLocationClass.PARENT, ANNA, replace)
                .get();
    }

    private CrailFile file(String path) throws Exception {
        return create(path, CrailNodeType.DATAFILE, false).asFile();
    }

    @Test
    void shouldTellAndChangeTheStatusOfANode() throws Exception {
        TestCluster.write(file("/größe"), TestCluster.pattern(100, 1));
        NodeStatus status = namespace.status("/größe").get();
        assertThat(status.name()).isEqualTo("größe");
        assertThat(status.ownership()).isEqualTo(ANNA);
        assertThat(status.file().getCapacity()).isEqualTo(100);
        NodeStatus changed =
                namespace.change("/größe", StatusChange.ofTimes(7, 8)).get();
        assertThat(changed.file().getModificationTime()).isEqualTo(7);
        assertThat(namespace.status("/größe").get()).isEqualTo(changed);
        assertThat(namespace.status("/none").get()).isNull();
        assertThat(namespace.status("/größe/none").get()).isNull();
        assertThatThrownBy(() ->
                        namespace.change("/none", StatusChange.ofPermission(0)).get())
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(NodeNotFoundException.class);
        assertThatThrownBy(() -> namespace
                        .change("/größe", StatusChange.ofPermission(-2))
                        .get())
                .hasCauseInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> namespace.status("/a/..")).isInstanceOf(InvalidPathException.class);
    }

    @Test
    void shouldListWithStatusInOneCall() throws Exception {
        create("/d", CrailNodeType.DIRECTORY, false);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            file("/d/" + i);
            expected.add(Integer.toString(i));
        }
        long before = store.metadataCalls().total();
        ChildrenPage page = namespace.children("/d", "").get();
        assertThat(page.children()).extracting(NodeStatus::name).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(page.children())
                .allSatisfy(child -> assertThat(child.ownership()).isEqualTo(ANNA));
        assertThat(page.isLast()).isTrue();
        assertThat(store.metadataCalls().total() - before).isEqualTo(1);
        assertThatThrownBy(() -> namespace.children("/d/0", "").get())
                .hasCauseInstanceOf(NodeTypeMismatchException.class);
        assertThatThrownBy(() -> namespace.children("/none", "").get()).hasCauseInstanceOf(NodeNotFoundException.class);
    }

    @Test
    void shouldLocateWithoutALookup() throws Exception {
        int block = TestCluster.BLOCK;
        TestCluster.write(file("/f"), TestCluster.pattern(2 * block + 5, 1));
        long before = store.metadataCalls().total();
        List<CrailBlockLocation> all = namespace.locate("/f", 0, 2 * block + 5).get();
        assertThat(store.metadataCalls().total() - before).isEqualTo(1);
        assertThat(all).extracting(CrailBlockLocation::getOffset).containsExactly(0L, (long) block, 2L * block);
        assertThat(all).allSatisfy(location -> {
            assertThat(location.getLength()).isEqualTo(block);
            assertThat(location.getNames()).containsExactly("localhost:1");
        });
        assertThat(namespace.locate("/f", block + 1, 1).get())
                .extracting(CrailBlockLocation::getOffset)
                .containsExactly((long) block);
        assertThat(namespace.locate("/f", block, Long.MAX_VALUE).get()).hasSize(2);
        assertThat(namespace.locate("/f", 100L * block, 1).get()).isEmpty();
        assertThat(namespace.locate("/f", 0, 0).get()).isEmpty();
        assertThat(namespace.locate("/none", 0, 1).get()).isNull();
        assertThat(namespace.locate("/f/none", 0, 1).get()).isNull();
        assertThatThrownBy(() -> namespace.locate("/f", -1, 1)).isInstanceOf(PositionOutOfRangeException.class);
    }

    @Test
    void shouldLocateALongFileWithACallForEach192Blocks() throws Exception {
        int blocks = MapRequest.MAX_COUNT + 10;
        TestCluster.write(file("/f"), new byte[blocks * TestCluster.BLOCK]);
        assertThat(namespace.locate("/f", 0, (long) blocks * TestCluster.BLOCK).get())
                .extracting(CrailBlockLocation::getOffset)
                .hasSize(blocks)
                .endsWith((blocks - 1L) * TestCluster.BLOCK);
        assertThat(store.metadataCalls().calls(Operation.LOCATE)).isEqualTo(2);
    }

    @Test
    void shouldReplaceAFileWhileItsReadersGoOnUntilTheirLeasesEnd() throws Exception {
        CrailFile former = file("/f");
        TestCluster.write(former, TestCluster.pattern(5000, 1));
        CrailFile stale = store.lookup("/f").get().asFile();
        CrailFile fresh = create("/f", CrailNodeType.DATAFILE, true).asFile();
        TestCluster.write(fresh, TestCluster.pattern(10, 2));
        assertThat(TestCluster.read(store.lookup("/f").get().asFile())).isEqualTo(TestCluster.pattern(10, 2));
        assertThat(TestCluster.read(stale)).isEqualTo(TestCluster.pattern(5000, 1));
        cluster.pass(TestCluster.TOKEN_MS);
        assertThatThrownBy(() -> TestCluster.read(stale)).hasRootCauseInstanceOf(StaleNodeException.class);
        assertThat(store.lookup("/").get().asDirectory().files()).isEqualTo(1);
        assertThatThrownBy(() -> create("/f", CrailNodeType.DATAFILE, false))
                .hasCauseInstanceOf(NodeExistsException.class);
    }

    @Test
    void shouldMoveAsTheModeSaysAndTellWhyNot() throws Exception {
        create("/d", CrailNodeType.DIRECTORY, false);
        TestCluster.write(file("/a"), TestCluster.pattern(10, 1));
        TestCluster.write(file("/d/b"), TestCluster.pattern(20, 2));
        assertThatThrownBy(() -> namespace.move("/a", "/d/b", MoveMode.EXACT).get())
                .hasCauseInstanceOf(NodeExistsException.class);
        assertThatThrownBy(() -> namespace.move("/none", "/c", MoveMode.EXACT).get())
                .hasCauseInstanceOf(NodeNotFoundException.class);
        assertThatThrownBy(() -> namespace.move("/a", "/none/c", MoveMode.EXACT).get())
                .hasCauseInstanceOf(ParentNotFoundException.class);
        assertThat(namespace.move("/a", "/d/b", MoveMode.REPLACE).get().getPath())
                .isEqualTo("/d/b");
        assertThat(TestCluster.read(store.lookup("/d/b").get().asFile())).isEqualTo(TestCluster.pattern(10, 1));
        assertThat(store.metadataCalls().calls(Operation.MOVE)).isEqualTo(4);
    }

    @Test
    void shouldTellTheCapacityOfTheCluster() throws Exception {
        StoreCapacity before = namespace.capacity().get();
        file("/f");
        StoreCapacity after = namespace.capacity().get();
        assertThat(before.totalBytes()).isEqualTo(256L * TestCluster.BLOCK);
        assertThat(before.blockSizeBytes()).isEqualTo(TestCluster.BLOCK);
        assertThat(before.freeBytes()).isEqualTo(before.totalBytes());
        assertThat(after.freeBytes()).isEqualTo(before.freeBytes() - TestCluster.BLOCK);
        assertThat(after.pendingBytes()).isZero();
    }

    @Test
    void shouldRefuseWhenTheStoreIsClosed() throws Exception {
        CoreDataStore other = cluster.newStore();
        CrailNamespace closed = other.namespace();
        other.close();
        assertThatThrownBy(() -> closed.status("/")).isInstanceOf(ClosedException.class);
        assertThatThrownBy(closed::capacity).isInstanceOf(ClosedException.class);
    }
}
