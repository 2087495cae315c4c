/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.crail.CrailDirectory;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.Upcoming;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.InvalidPathException;
import org.apache.crail.error.NodeExistsException;
import org.apache.crail.error.NodeNotFoundException;
import org.apache.crail.error.NodeTypeMismatchException;
import org.apache.crail.error.NotEmptyException;
import org.apache.crail.error.ParentNotFoundException;
import org.apache.crail.error.PositionOutOfRangeException;
import org.apache.crail.rpc.message.ChildrenRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NamespaceTest {
    private TestCluster cluster;
    private CoreDataStore store;

    @BeforeEach
    void start() throws Exception {
        cluster = new TestCluster();
        store = cluster.store;
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    private Set<String> list(String path) throws Exception {
        Set<String> names = new TreeSet<>();
        store.listEntries(path).forEachRemaining(names::add);
        return names;
    }

    private Upcoming<CrailNode> begin(String path, CrailNodeType type) throws Exception {
        return store.create(path, type, CrailStorageClass.PARENT, CrailLocationClass.PARENT, true);
    }

    @Test
    void shouldGiveNullForWhatDoesNotExist() throws Exception {
        assertThat(store.lookup("/none").get()).isNull();
        assertThat(store.lookup("/none/below").get()).isNull();
        assertThat(store.delete("/none", true).get()).isNull();
        assertThat(store.rename("/none", "/other").get()).isNull();
        cluster.file("/f");
        assertThat(store.lookup("/f/below").get()).isNull();
        assertThat(store.rename("/f", "/none/f").get()).isNull();
        cluster.file("/g");
        assertThat(store.rename("/f", "/g").get()).isNull();
    }

    @Test
    void shouldFailTypedOtherwise() throws Exception {
        cluster.create("/d", CrailNodeType.DIRECTORY).syncDir();
        cluster.file("/d/f");
        assertThatThrownBy(() -> cluster.file("/d/f")).hasCauseInstanceOf(NodeExistsException.class);
        assertThatThrownBy(() -> cluster.file("/none/f")).hasCauseInstanceOf(ParentNotFoundException.class);
        assertThatThrownBy(() -> store.delete("/d", false).get())
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(NotEmptyException.class);
        assertThatThrownBy(() -> store.lookup("/a/../b")).isInstanceOf(InvalidPathException.class);
        assertThat(store.delete("/d", true).get().getType()).isEqualTo(CrailNodeType.DIRECTORY);
    }

    @Test
    void shouldTellTypesApart() throws Exception {
        CrailNode file = cluster.file("/f");
        assertThatThrownBy(file::asKeyValue)
                .isInstanceOf(NodeTypeMismatchException.class)
                .hasMessageContaining("file type mismatch, type DATAFILE");
        assertThatThrownBy(file::asContainer).isInstanceOf(NodeTypeMismatchException.class);
        CrailNode table = cluster.create("/t", CrailNodeType.TABLE);
        assertThat(table.asContainer().files()).isZero();
        assertThat(table.asTable()).isSameAs(table);
        assertThatThrownBy(table::asDirectory).isInstanceOf(NodeTypeMismatchException.class);
    }

    /** D35: a node is created although nobody asks the future. */
    @Test
    void shouldListWhatWasCreatedWithoutAskingItsFuture() throws Exception {
        Upcoming<CrailNode> created = begin("/f", CrailNodeType.DATAFILE);
        cluster.transport.settle();
        assertThat(created.isDone()).isTrue();
        assertThat(list("/")).containsExactly("/f");
    }

    @Test
    void shouldListManyPagesOfChildrenWithRealNames() throws Exception {
        cluster.create("/dir", CrailNodeType.DIRECTORY);
        List<Upcoming<CrailNode>> creating = new ArrayList<>();
        Set<String> expected = new TreeSet<>();
        for (int i = 0; i < 40; i++) {
            String path = "/dir/größe-" + i;
            creating.add(begin(path, CrailNodeType.DIRECTORY));
            expected.add(path);
        }
        for (Upcoming<CrailNode> upcoming : creating) {
            assertThat(upcoming.get().getType()).isEqualTo(CrailNodeType.DIRECTORY);
        }
        assertThat(list("dir/")).isEqualTo(expected);
        assertThat(store.lookup("/dir").get().asDirectory().files()).isEqualTo(40);
        assertThat(store.getBufferCache().buffersInUse()).isZero();
    }

    /** D34: deleted names are not listed, and an iterator that is not drained keeps nothing. */
    @Test
    void shouldNotListDeletedOrMovedNames() throws Exception {
        for (int i = 0; i < 30; i++) {
            cluster.create("/d" + i, CrailNodeType.DIRECTORY).syncDir();
        }
        for (int i = 0; i < 30; i += 2) {
            assertThat(store.delete("/d" + i, false).get()).isNotNull();
        }
        store.rename("/d1", "/moved").get().syncDir();
        Set<String> names = list("/");
        assertThat(names).hasSize(15).contains("/moved", "/d3").doesNotContain("/d0", "/d1");
        Iterator<String> abandoned = store.listEntries("/");
        assertThat(abandoned.next()).isNotNull();
        assertThat(store.getBufferCache().buffersInUse()).isZero();
    }

    @Test
    void shouldGiveNullBehindTheLastName() throws Exception {
        cluster.create("/a", CrailNodeType.DIRECTORY).syncDir();
        Iterator<String> names = store.listEntries("/");
        assertThat(names.next()).isEqualTo("/a");
        assertThat(names.next()).isNull();
        assertThat(names.hasNext()).isFalse();
    }

    @Test
    void shouldGoOnFailingWhenAListingHasFailed() throws Exception {
        cluster.create("/d", CrailNodeType.DIRECTORY);
        for (int i = 0; i <= ChildrenRequest.MAX_COUNT; i++) {
            cluster.create("/d/" + i, CrailNodeType.DIRECTORY);
        }
        Iterator<String> names = store.listEntries("/d");
        for (int i = 0; i < ChildrenRequest.MAX_COUNT - 1; i++) {
            assertThat(names.next()).startsWith("/d/");
        }
        store.delete("/d", true).get();
        cluster.transport.settle();
        Iterator<String> next = store.listEntries("/");
        assertThat(next.hasNext()).isFalse();
    }

    @Test
    void shouldRefuseToListWhatIsNoContainer() throws Exception {
        CrailDirectory directory = cluster.create("/d", CrailNodeType.DIRECTORY).asDirectory();
        store.delete("/d", false).get();
        assertThatThrownBy(directory::listEntries).isInstanceOf(NodeNotFoundException.class);
        cluster.file("/f");
        assertThatThrownBy(() -> store.listEntries("/f"))
                .isInstanceOf(NodeTypeMismatchException.class)
                .hasMessageContaining("File is not a directory");
    }

    @Test
    void shouldGiveRecordsOfChildrenThatLive() throws Exception {
        cluster.create("/gone", CrailNodeType.DIRECTORY).syncDir();
        cluster.create("/here", CrailNodeType.DIRECTORY).syncDir();
        store.delete("/gone", false).get();
        List<String> records = new ArrayList<>();
        DirectoryInputStream all = store._listEntries("/", false);
        while (all.hasRecord()) {
            DirectoryRecord record = all.nextRecord();
            records.add(record.getFile() + " " + record.isValid());
        }
        assertThat(records).containsExactly("here true");
    }

    @Test
    void shouldHandOutAFileBeforeItIsCreated() throws Exception {
        CrailFile early = begin("/f", CrailNodeType.DATAFILE).early().asFile();
        assertThat(early.getPath()).isEqualTo("/f");
        TestCluster.write(early, TestCluster.pattern(10, 1));
        assertThat(cluster.lookup("/f").getCapacity()).isEqualTo(10);
        CrailFile failing = begin("/f", CrailNodeType.DATAFILE).early().asFile();
        assertThatThrownBy(failing::getFd).isInstanceOf(RuntimeException.class);
        assertThatThrownBy(() -> failing.getDirectOutputStream(0)).isInstanceOf(NodeExistsException.class);
        assertThatThrownBy(failing::asContainer).isInstanceOf(NodeTypeMismatchException.class);
        assertThatThrownBy(failing::asKeyValue).isInstanceOf(NodeTypeMismatchException.class);
        cluster.create("/t", CrailNodeType.TABLE);
        CrailNode value = begin("/t/k", CrailNodeType.KEYVALUE).early();
        assertThat(value.asKeyValue()).isSameAs(value);
        assertThatThrownBy(value::asFile).isInstanceOf(NodeTypeMismatchException.class);
    }

    /** D14: a timeout is honoured. */
    @Test
    void shouldHonourTimeoutsAndIgnoreCancellation() throws Exception {
        var out = cluster.file("/f").getDirectOutputStream(0);
        CompletableFuture<Void> held = cluster.tier.hold();
        var write = out.write(TestCluster.buffer(TestCluster.pattern(10, 1)));
        assertThatThrownBy(() -> write.get(10, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        assertThat(write.cancel(true)).isFalse();
        held.complete(null);
        assertThat(write.get().getLen()).isEqualTo(10);
        out.close();
    }

    @Test
    void shouldGiveTheFailureItselfToStages() throws Exception {
        CompletableFuture<Throwable> seen = new CompletableFuture<>();
        begin("/none/f", CrailNodeType.DATAFILE)
                .toCompletableFuture()
                .whenComplete((node, failure) -> seen.complete(failure));
        assertThat(seen.get()).isInstanceOf(ParentNotFoundException.class);
    }

    @Test
    void shouldLocateBlocks() throws Exception {
        TestCluster.write(cluster.file("/f"), TestCluster.pattern(2 * TestCluster.BLOCK + 5, 1));
        CrailFile file = cluster.lookup("/f");
        var locations = file.getBlockLocations(TestCluster.BLOCK + 1, 10L * TestCluster.BLOCK);
        assertThat(locations).hasSize(2);
        assertThat(locations[0].getOffset()).isEqualTo(TestCluster.BLOCK);
        assertThat(locations[1].getLength()).isEqualTo(5);
        assertThat(locations[0].getNames()).containsExactly("localhost:1");
        assertThat(locations[0].getTopology()).containsExactly("/default-rack/localhost:1");
        assertThatThrownBy(() -> file.getBlockLocations(-1, 1))
                .isInstanceOf(PositionOutOfRangeException.class)
                .hasMessageContaining("Invalid start or len parameter");
        assertThatThrownBy(() -> file.getBlockLocations(100L * TestCluster.BLOCK, 1))
                .isInstanceOf(PositionOutOfRangeException.class)
                .hasMessageContaining("Offset too large");
        TestCluster.write(cluster.file("/empty"), new byte[0]);
        assertThat(cluster.lookup("/empty").getBlockLocations(0, 1)).isEmpty();
    }

    @Test
    void shouldRefuseSettingsThatDifferFromTheNamenodes() throws Exception {
        CrailConfiguration conf = TestCluster.clientConfiguration();
        conf.set("crail.blocksize", "8192");
        assertThatThrownBy(() -> cluster.newStore(conf))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("crail.blocksize = 8192")
                .hasMessageContaining("4");
        assertThat(store.configuration().get("crail.blocksize")).isNotNull();
    }

    @Test
    void shouldRefuseSeveralNamenodes() {
        CrailConfiguration conf = TestCluster.clientConfiguration();
        conf.set("crail.namenode.address", "crail://a:1,crail://b:1");
        assertThatThrownBy(() -> cluster.newStore(conf))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("crail.namenode.address");
    }

    @Test
    void shouldSurviveBrokenConnections() throws Exception {
        for (int i = 0; i < 20; i++) {
            Upcoming<CrailNode> created = begin("/d" + i, CrailNodeType.DIRECTORY);
            cluster.transport.breakConnections();
            created.get().syncDir();
        }
        assertThat(list("/")).hasSize(20);
    }

    @Test
    void shouldCloseEverythingAndThenRefuse() throws Exception {
        CoreDataStore own = cluster.newStore();
        CrailFile file = TestCluster.create(own, "/f", CrailNodeType.DATAFILE).asFile();
        var out = file.getDirectOutputStream(0);
        out.write(TestCluster.buffer(TestCluster.pattern(10, 1)));
        Upcoming<CrailNode> last =
                own.create("/last", CrailNodeType.DIRECTORY, CrailStorageClass.PARENT, CrailLocationClass.PARENT, true);
        own.close();
        assertThat(last.get()).isNotNull();
        assertThat(cluster.lookup("/f").getCapacity()).isEqualTo(10);
        assertThat(list("/")).contains("/f", "/last");
        assertThatThrownBy(() -> own.lookup("/f")).isInstanceOf(ClosedException.class);
        assertThatThrownBy(own::allocateBuffer).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> file.getDirectInputStream(0)).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> out.write(TestCluster.space(1))).isInstanceOf(ClosedException.class);
        own.getStatistics().print("after close");
        assertThat(own.getBufferCache().buffersInUse()).isZero();
    }
}
