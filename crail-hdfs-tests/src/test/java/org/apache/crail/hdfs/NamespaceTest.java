/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.crail.testkit.MiniCluster;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.EtagSource;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.Trash;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.UserGroupInformation;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Listings, owners, moves and failures that Hadoop's suites do not look at. */
@Tag("hdfs")
class NamespaceTest {
    private static final int BLOCK = 64 * 1024;
    private static final Path ROOT = new Path("/namespace");

    private Configuration conf;
    private FileSystem fs;

    @BeforeEach
    void connect() throws IOException {
        conf = SharedCluster.configure(new Configuration());
        fs = FileSystem.newInstance(SharedCluster.uri(), conf);
    }

    @AfterEach
    void close() throws IOException {
        fs.delete(ROOT, true);
        fs.close();
    }

    private Path write(String name, int bytes) throws IOException {
        Path path = new Path(ROOT, name);
        try (FSDataOutputStream out = fs.create(path)) {
            out.write(new byte[bytes]);
        }
        return path;
    }

    @Test
    void shouldListThousandsWithStatusAndPlaces() throws Exception {
        fs.mkdirs(ROOT);
        for (int i = 0; i < 1500; i++) {
            fs.create(new Path(ROOT, "part-" + i)).close();
        }
        assertThat(fs.listStatus(ROOT)).hasSize(1500);
        int found = 0;
        for (RemoteIterator<FileStatus> it = fs.listStatusIterator(ROOT); it.hasNext(); it.next()) {
            found++;
        }
        assertThat(found).isEqualTo(1500);
        assertThat(fs.globStatus(new Path(ROOT, "part-14{0,1}?"))).hasSize(20);
        assertThat(fs.getContentSummary(ROOT).getFileCount()).isEqualTo(1500);
    }

    @Test
    void shouldApplyTheUmaskHoweverAFileIsCreated() throws Exception {
        fs.getConf().set(FsPermission.UMASK_LABEL, "027");
        Path path = new Path(ROOT, "f");
        List<FSDataOutputStream> streams = new ArrayList<>();
        List<Path> paths = new ArrayList<>();
        for (Creation creation : List.<Creation>of(
                fs::create,
                file -> fs.create(file, false),
                file -> fs.create(file, true, 4096),
                file -> fs.create(file, (short) 1),
                file -> fs.create(file, true, 4096, (short) 1, BLOCK),
                file -> fs.create(file, true, 4096, (short) 1, BLOCK, () -> {}),
                file -> fs.createFile(file).build())) {
            Path file = path.suffix("-" + paths.size());
            streams.add(creation.create(file));
            paths.add(file);
        }
        for (FSDataOutputStream stream : streams) {
            stream.close();
        }
        for (Path file : paths) {
            assertThat(fs.getFileStatus(file).getPermission()).isEqualTo(new FsPermission((short) 0640));
        }
        assertThatThrownBy(() -> fs.create(paths.get(0), false)).isInstanceOf(FileAlreadyExistsException.class);
    }

    /** A way to create a file. */
    private interface Creation {
        FSDataOutputStream create(Path file) throws IOException;
    }

    @Test
    void shouldKeepOwnersPermissionsAndTimes() throws Exception {
        Path path = write("f", 10);
        FileStatus fresh = fs.getFileStatus(path);
        assertThat(fresh.getOwner())
                .isEqualTo(UserGroupInformation.getCurrentUser().getShortUserName());
        assertThat(fresh.getGroup()).isEqualTo(fs.getFileStatus(ROOT).getGroup());
        assertThat(fresh.getPermission()).isEqualTo(new FsPermission((short) 0644));
        fs.setOwner(path, "anna", null);
        fs.setOwner(path, null, "staff");
        fs.setPermission(path, new FsPermission((short) 01700));
        fs.setTimes(path, 12345, 67890);
        FileStatus changed = fs.getFileStatus(path);
        assertThat(changed.getOwner()).isEqualTo("anna");
        assertThat(changed.getGroup()).isEqualTo("staff");
        assertThat(changed.getPermission()).isEqualTo(new FsPermission((short) 01700));
        assertThat(changed.getModificationTime()).isEqualTo(12345);
        assertThat(changed.getAccessTime()).isEqualTo(67890);
        assertThat(fs.listStatus(ROOT)).containsExactly(changed);
    }

    @Test
    void shouldTellTheTrueCapacity() throws Exception {
        try (MiniCluster cluster = SharedCluster.patient().blocksPerDatanode(32).start();
                FileSystem own = SharedCluster.connect(cluster)) {
            FsStatus before = own.getStatus();
            try (FSDataOutputStream out = own.create(new Path("/f"))) {
                out.write(new byte[10 * BLOCK]);
            }
            FsStatus after = own.getStatus();
            assertThat(before.getCapacity()).isEqualTo(32L * BLOCK);
            assertThat(after.getCapacity()).isEqualTo(32L * BLOCK);
            assertThat(after.getUsed() - before.getUsed()).isGreaterThanOrEqualTo(10L * BLOCK);
            assertThat(before.getRemaining() - after.getRemaining()).isGreaterThanOrEqualTo(10L * BLOCK);
        }
    }

    @Test
    void shouldReplaceInOneStepWhileOthersLook() throws Exception {
        Path target = write("target", 10);
        CountDownLatch looking = new CountDownLatch(1);
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            Future<Integer> missing = executor.submit(() -> {
                int gone = 0;
                for (int i = 0; i < 2000; i++) {
                    gone += fs.exists(target) ? 0 : 1;
                    looking.countDown();
                }
                return gone;
            });
            looking.await();
            for (int i = 0; i < 200; i++) {
                Path source = write("source", 20);
                ((CrailHadoopFileSystem) fs).rename(source, target, Options.Rename.OVERWRITE);
                fs.create(target, true).close();
            }
            assertThat(missing.get()).isZero();
        } finally {
            executor.shutdownNow();
        }
    }

    /** Whose first node is on the first page of a listing, and whose latest one on the last. */
    @Test
    void shouldListAFileOnceThatIsReplacedMeanwhile() throws Exception {
        for (int i = 0; i < 1500; i++) {
            write("file" + i, 0);
        }
        AtomicBoolean isOver = new AtomicBoolean();
        ExecutorService replacer = Executors.newSingleThreadExecutor();
        Future<Void> replacing = replacer.submit(() -> {
            while (!isOver.get()) {
                for (int i = 0; i < 10; i++) {
                    write("file" + i, 0);
                }
            }
            return null;
        });
        try {
            for (int i = 0; i < 50; i++) {
                assertThat(fs.listStatus(ROOT))
                        .extracting(status -> status.getPath().getName())
                        .doesNotHaveDuplicates();
            }
        } finally {
            isOver.set(true);
            replacer.shutdown();
        }
        assertThat(replacing.get(60, TimeUnit.SECONDS)).isNull();
    }

    @Test
    void shouldMissNoFileOntoWhichAnOlderOneIsRenamedMeanwhile() throws Exception {
        List<Path> older = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            older.add(write("older/file" + i, 0));
        }
        Path directory = new Path(ROOT, "listed");
        for (int i = 0; i < 1500; i++) {
            write("listed/file" + i, 0);
        }
        ExecutorService renamer = Executors.newSingleThreadExecutor();
        Future<Void> renaming = renamer.submit(() -> {
            for (int i = 0; i < older.size(); i++) {
                Path target = new Path(directory, "file" + (1400 + i % 100));
                ((CrailHadoopFileSystem) fs).rename(older.get(i), target, Options.Rename.OVERWRITE);
            }
            return null;
        });
        try {
            while (!renaming.isDone()) {
                assertThat(fs.listStatus(directory)).hasSize(1500);
            }
        } finally {
            renamer.shutdown();
        }
        assertThat(renaming.get(60, TimeUnit.SECONDS)).isNull();
        assertThat(fs.listStatus(directory)).hasSize(1500);
    }

    @Test
    void shouldNameThePathInFailures() throws Exception {
        Path file = write("f", 1);
        Path below = new Path(file, "x");
        assertThatThrownBy(() -> fs.create(below))
                .isInstanceOf(ParentNotDirectoryException.class)
                .hasMessageContaining(below.toString());
        assertThatThrownBy(() -> fs.getFileStatus(new Path("hdfs://elsewhere/x")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> fs.getFileStatus(new Path("crail://elsewhere:1/x")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new CrailHadoopFileSystem().initialize(URI.create("hdfs://a/"), conf))
                .isInstanceOf(PathIOException.class);
    }

    /** Hadoop's suites skip these, or have no tests of them. */
    @Test
    void shouldRefuseWhatIsNotThere() throws Exception {
        Path file = write("f", 10);
        Path other = write("other", 10);
        FileStatus status = fs.getFileStatus(file);
        List<ThrowingCallable> calls = List.of(
                () -> fs.truncate(file, 0),
                () -> fs.concat(file, new Path[] {other}),
                () -> fs.createSymlink(file, new Path(ROOT, "link"), true),
                () -> fs.createSnapshot(ROOT, "s"),
                () -> fs.getAclStatus(file),
                () -> fs.setXAttr(file, "user.x", new byte[1]),
                () -> fs.getPathHandle(status),
                () -> fs.createMultipartUploader(ROOT));
        assertThat(calls)
                .allSatisfy(call -> assertThatThrownBy(call).isInstanceOf(UnsupportedOperationException.class));
        assertThat(fs.getFileChecksum(file)).isNull();
        assertThat(fs.getDelegationToken("anna")).isNull();
        assertThat(status).isNotInstanceOf(EtagSource.class);
        assertThat(fs.listStatus(ROOT)).containsExactly(status, fs.getFileStatus(other));
        assertThat(fs.getFileStatus(file).getLen()).isEqualTo(10);
    }

    @Test
    void shouldMoveToTheTrash() throws Exception {
        Path path = write("f", 1);
        conf.set("fs.trash.interval", "10");
        assertThat(Trash.moveToAppropriateTrash(fs, path, conf)).isTrue();
        assertThat(fs.exists(path)).isFalse();
        assertThat(fs.exists(Path.mergePaths(new Path(fs.getTrashRoot(path), "Current"), path)))
                .isTrue();
        fs.delete(fs.getTrashRoot(path), true);
    }

    @Test
    void shouldServeSeveralFileSystemsWithTheirOwnSettings() throws Exception {
        Configuration other = SharedCluster.configure(new Configuration());
        other.set("fs.crail.block.size", "1m");
        other.set("crail.slicesize", "4k");
        Path path = write("f", 3 * BLOCK);
        try (FileSystem second = FileSystem.newInstance(SharedCluster.uri(), other)) {
            assertThat(second.getFileStatus(path).getBlockSize()).isEqualTo(1 << 20);
            assertThat(fs.getFileStatus(path).getBlockSize()).isEqualTo(64 << 20);
            byte[] bytes = new byte[3 * BLOCK];
            second.open(path).readFully(bytes);
        }
        assertThat(fs.exists(path)).isTrue();
    }

    @Test
    void shouldTellWhatItIsCapableOf() throws Exception {
        for (String capability : List.of(
                CommonPathCapabilities.FS_APPEND,
                CommonPathCapabilities.FS_PERMISSIONS,
                "FS.Capability.Paths.Append")) {
            assertThat(fs.hasPathCapability(ROOT, capability)).as(capability).isTrue();
        }
        for (String capability : List.of(
                CommonPathCapabilities.FS_ACLS,
                CommonPathCapabilities.FS_CONCAT,
                CommonPathCapabilities.FS_TRUNCATE,
                CommonPathCapabilities.FS_XATTRS)) {
            assertThat(fs.hasPathCapability(ROOT, capability)).as(capability).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                CommonPathCapabilities.FS_APPEND,
                CommonPathCapabilities.FS_PERMISSIONS,
                CommonPathCapabilities.FS_TRUNCATE
            })
    void shouldTellCapabilitiesOfItsOwnPathsOnly(String capability) {
        Path other = new Path("crail://elsewhere:1/x");
        assertThatThrownBy(() -> fs.hasPathCapability(other, capability))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Wrong FS")
                .hasMessageContaining(other.toString());
        assertThatThrownBy(() -> fs.hasPathCapability(null, capability)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> fs.hasPathCapability(ROOT, null)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> fs.hasPathCapability(ROOT, "")).isInstanceOf(IllegalArgumentException.class);
    }
}
