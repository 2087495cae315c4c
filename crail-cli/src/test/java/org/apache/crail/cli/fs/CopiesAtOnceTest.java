/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.crail.CrailBuffer;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.cli.console.Progress;
import org.apache.crail.error.NodeExistsException;
import org.apache.crail.error.NodeNotFoundException;
import org.apache.crail.error.NodeTypeMismatchException;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/**
 * Of copies to one path at once the last stays, complete, and nothing else does; of those that must not replace
 * anything, the first.
 */
class CopiesAtOnceTest {
    private final CopyOptions options = CommandLine.populateCommand(new CopyOptions(), "-f");
    private final CopyOptions plain = new CopyOptions();
    private final Progress progress = Progress.start(null, false);
    private final Pause pause = new Pause();

    @TempDir
    private Path directory;

    private MiniCluster cluster;
    private NamespaceTree tree;

    @BeforeEach
    void startCluster() throws Exception {
        cluster = MiniCluster.builder(ClusterKind.MEMORY).blocksPerDatanode(256).start();
        tree = new NamespaceTree(cluster.newStore(), cluster.configuration());
    }

    @AfterEach
    void stopCluster() throws Exception {
        pause.end();
        cluster.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldStoreACopyThatIsOvertakenByAnother(boolean replacing) throws Exception {
        if (replacing) {
            put(tree, "/f", source("old"));
        }
        FutureTask<?> slow = begin(() -> put(tree, "/f", paused(source("slow"))));
        pause.awaitBegin();

        put(tree, "/f", source("of the other"));
        assertStored("of the other");
        pause.end();
        slow.get();

        assertStored("slow");
        assertThat(tree.children(tree.find(CrailPath.parse("/")))).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/f", "/table/f"})
    void shouldKeepWhatOvertookACopyThatFails(String path) throws Exception {
        tree.create(CrailPath.parse("/table"), CrailNodeType.TABLE).syncDir();
        FutureTask<?> slow = begin(() -> put(plain, tree, path, paused(broken())));
        pause.awaitBegin();

        put(tree, path, source("of the other"));
        pause.end();

        assertThatThrownBy(slow::get).hasMessageContaining("the disk is broken");
        assertStored(path, "of the other");
        assertThat(siblings(path)).extracting(CrailNode::getPath).noneMatch(name -> name.contains("COPYING"));
    }

    @Test
    void shouldRefuseToReplaceWhatWasStoredMeanwhile() throws Exception {
        FutureTask<?> slow = begin(() -> put(plain, tree, "/f", paused(source("slow"))));
        pause.awaitBegin();

        put(plain, tree, "/f", source("of the other"));
        pause.end();

        assertThatThrownBy(slow::get)
                .hasCauseInstanceOf(NodeExistsException.class)
                .hasMessageContaining("/f exists; ");
        assertStored("of the other");
        assertThat(siblings("/f")).hasSize(1);
    }

    @Test
    void shouldLeaveNothingInADirectoryThatWasCreatedMeanwhile() throws Exception {
        FutureTask<?> slow = begin(() -> put(plain, tree, "/f", paused(source("slow"))));
        pause.awaitBegin();

        tree.makeDirectories(CrailPath.parse("/f"));
        pause.end();

        assertThatThrownBy(slow::get)
                .hasCauseInstanceOf(NodeExistsException.class)
                .hasMessageContaining("/f exists; ");
        assertThat(siblings("/f")).hasSize(1);
        assertThat(siblings("/f/below")).isEmpty();
    }

    @Test
    void shouldReplaceAKeyValueWithoutBeingAsked() throws Exception {
        tree.create(CrailPath.parse("/table"), CrailNodeType.TABLE).syncDir();
        put(plain, tree, "/table/f", source("old"));

        put(plain, tree, "/table/f", source("new"));

        assertStored("/table/f", "new");
        assertThat(siblings("/table/f")).hasSize(1);
    }

    @Test
    void shouldReplaceWhatAnotherCopyStoresJustBefore() throws Exception {
        put(tree, "/f", source("old"));
        MoveHook others = new MoveHook(tree.store(), () -> put(tree, "/f", source("of the other")));

        put(new NamespaceTree(others, cluster.configuration()), "/f", source("late"));

        assertStored("late");
        assertThat(siblings("/f")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/f", "/table/f"})
    void shouldNeverLeaveAPathWithoutANodeWhileItIsReplaced(String path) throws Exception {
        tree.create(CrailPath.parse("/table"), CrailNodeType.TABLE).syncDir();
        put(tree, path, source("old"));
        AtomicBoolean done = new AtomicBoolean();
        FutureTask<Integer> watch = new FutureTask<>(() -> {
            int missing = 0;
            while (!done.get()) {
                missing += tree.find(CrailPath.parse(path)) == null ? 1 : 0;
            }
            return missing;
        });
        begin(watch);

        for (int i = 0; i < 200; i++) {
            put(tree, path, source("new " + i));
        }
        done.set(true);

        assertThat(watch.get()).isZero();
        assertStored(path, "new 199");
    }

    @Test
    void shouldLeaveADirectoryAloneThatThePathBecameMeanwhile() throws Exception {
        MoveHook others = new MoveHook(tree.store(), () -> {
            tree.makeDirectories(CrailPath.parse("/f/below"));
            return null;
        });

        assertThatThrownBy(() -> put(new NamespaceTree(others, cluster.configuration()), "/f", source("late")))
                .hasCauseInstanceOf(NodeTypeMismatchException.class)
                .hasMessageContaining("cannot replace /f, a DIRECTORY");
        assertThat(siblings("/f")).extracting(CrailNode::getPath).containsExactly("/f");
        assertThat(siblings("/f/below")).hasSize(1);
    }

    @Test
    void shouldStoreAFileWhosePathIsAsLongAsPathsMayBe() throws Exception {
        CrailPath parent = CrailPath.ROOT;
        for (int i = 0; i < 3; i++) {
            parent = parent.child("d".repeat(CrailPath.MAX_COMPONENT_BYTES));
        }
        parent = parent.child("e".repeat(CrailPath.MAX_PATH_BYTES - parent.utf8().length - 1 - "/12345678".length()));
        tree.makeDirectories(parent);
        String path = parent.child("12345678").toString();
        assertThat(path).hasSize(CrailPath.MAX_PATH_BYTES);

        put(tree, path, source("far below"));

        assertStored(path, "far below");
        assertThat(siblings(path)).hasSize(1);
    }

    @Test
    void shouldSayThatItsBytesWereDeletedBeforeTheirMove() throws Exception {
        MoveHook others = new MoveHook(tree.store(), () -> {
            for (CrailNode node : tree.children(tree.find(CrailPath.parse("/")))) {
                tree.store().delete(node.getPath(), false).get();
            }
            return null;
        });

        assertThatThrownBy(() -> put(new NamespaceTree(others, cluster.configuration()), "/f", source("late")))
                .isInstanceOf(NodeNotFoundException.class)
                .hasMessageContaining("was deleted meanwhile; copy again");
    }

    @Test
    void shouldFetchACopyThatIsOvertakenByAnother() throws Exception {
        put(tree, "/slow", source("slow"));
        put(tree, "/other", source("of the other"));
        Path local = directory.resolve("local");
        FutureTask<?> slow = begin(() -> get(paused(), "/slow", local));
        pause.awaitBegin();

        get(tree, "/other", local);
        assertThat(local).hasContent("of the other");
        pause.end();
        slow.get();

        assertThat(local).hasContent("slow");
        assertThat(directory.toFile().list()).containsExactly("local");
    }

    private static FutureTask<?> begin(Callable<?> copy) {
        return begin(new FutureTask<>(copy));
    }

    private static FutureTask<?> begin(FutureTask<?> task) {
        Thread thread = new Thread(task, "slow copy");
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    private Void put(NamespaceTree where, String path, ReadableByteChannel source) throws Exception {
        return put(options, where, path, source);
    }

    private Void put(CopyOptions how, NamespaceTree where, String path, ReadableByteChannel source) throws Exception {
        new Upload(where, null, progress, how).stream(source, CrailPath.parse(path));
        return null;
    }

    private List<CrailNode> siblings(String path) throws Exception {
        return tree.children(tree.find(CrailPath.parse(path).parent()));
    }

    private Void get(NamespaceTree where, String path, Path local) throws Exception {
        CopyPool pool = new CopyPool(new MkdirCommand(null), 1);
        RemotePath remote = new RemotePath(where, CrailPath.parse(path));
        new Download(pool, progress, options).tree(remote, remote.status(), local);
        pool.finish();
        return null;
    }

    private void assertStored(String text) throws Exception {
        assertStored("/f", text);
    }

    private void assertStored(String path, String text) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new FileToChannel(tree.store(), 1, progress)
                .copy(NamespaceTree.file(tree.require(CrailPath.parse(path))), 0, Channels.newChannel(bytes));
        assertThat(bytes.toString(UTF_8)).isEqualTo(text);
    }

    private static ReadableByteChannel source(String text) {
        return Channels.newChannel(new ByteArrayInputStream(text.getBytes(UTF_8)));
    }

    /** A source whose reader is held up before the first byte. */
    private ReadableByteChannel paused(ReadableByteChannel source) {
        return Channels.newChannel(new FilterInputStream(Channels.newInputStream(source)) {
            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                pause.here();
                return super.read(target, offset, length);
            }
        });
    }

    /** A store whose readers are held up before the first byte. */
    private NamespaceTree paused() {
        return new NamespaceTree(new PausedStore(), cluster.configuration());
    }

    @SuppressWarnings("try") // the store's close declares Exception
    private final class PausedStore extends MoveHook {
        PausedStore() {
            super(tree.store(), () -> null);
        }

        @Override
        public CrailBuffer allocateBuffer() throws Exception {
            pause.here();
            return super.allocateBuffer();
        }
    }

    /** A source that gives no byte. */
    private static ReadableByteChannel broken() {
        return Channels.newChannel(new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("the disk is broken");
            }

            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                return read();
            }
        });
    }
}
