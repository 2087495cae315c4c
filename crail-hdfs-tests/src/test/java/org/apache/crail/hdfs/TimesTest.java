/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.apache.crail.testkit.Await;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which times of modification change by themselves, and to what. The servers have this process' clock. */
@Tag("hdfs")
class TimesTest {
    private static final Path ROOT = new Path("/times");
    private static final Path FILE = new Path(ROOT, "f");
    private static final Path OTHER_DIRECTORY = new Path(ROOT, "d");
    private static final long LONG_AGO_MS = 12_345;

    private FileSystem fs;

    @BeforeEach
    void connect() throws IOException {
        fs = FileSystem.newInstance(SharedCluster.uri(), SharedCluster.configure(new Configuration()));
        fs.mkdirs(OTHER_DIRECTORY);
    }

    @AfterEach
    void close() throws IOException {
        fs.delete(ROOT, true);
        fs.close();
    }

    /** What changes the tree. */
    private interface Change {
        void run() throws IOException;
    }

    private static void write(FSDataOutputStream stream) throws IOException {
        try (stream) {
            stream.write(1);
        }
    }

    private long timeMs(Path path) throws IOException {
        return fs.getFileStatus(path).getModificationTime();
    }

    private void age(Path path) throws IOException {
        fs.setTimes(path, LONG_AGO_MS, -1);
        assertThat(timeMs(path)).isEqualTo(LONG_AGO_MS);
    }

    @Test
    void shouldSetWhenFilesGoByThemselvesByAttributes() throws Exception {
        fs.setXAttr(OTHER_DIRECTORY, "user.crail.ttl", "2h".getBytes(UTF_8));
        Path file = new Path(OTHER_DIRECTORY, "f");
        write(fs.create(file));

        assertThat(fs.listXAttrs(OTHER_DIRECTORY)).containsExactly("user.crail.ttl");
        assertThat(fs.listXAttrs(file)).containsExactly("user.crail.ttl");
        assertThat(fs.getXAttr(file, "user.crail.ttl")).isEqualTo("2h".getBytes(UTF_8));

        fs.removeXAttr(file, "user.crail.ttl");
        assertThat(fs.listXAttrs(file)).isEmpty();
        assertThatThrownBy(() -> fs.setXAttr(file, "user.other", new byte[1]))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("user.crail.ttl and user.crail.expire");
        assertThatThrownBy(() -> fs.setXAttr(file, "user.crail.expire", "soon".getBytes(UTF_8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2h, 30min or 90s");
    }

    @Test
    void shouldRemoveATreeThatHasAnEnd() throws Exception {
        write(fs.create(new Path(OTHER_DIRECTORY, "f")));
        fs.setXAttr(OTHER_DIRECTORY, "user.crail.expire", "1ms".getBytes(UTF_8));
        Await.until("the tree has gone", () -> !fs.exists(OTHER_DIRECTORY));
    }

    /** The paths have been changed during the call. */
    private void assertModifies(Change change, Path... paths) throws IOException {
        long beginMs = System.currentTimeMillis();
        change.run();
        for (Path path : paths) {
            assertThat(timeMs(path)).as(path.toString()).isBetween(beginMs, System.currentTimeMillis());
        }
    }

    @Test
    void shouldTellWhenFilesAndDirectoriesWereMade() throws Exception {
        Path directory = new Path(ROOT, "new");
        assertModifies(() -> write(fs.create(FILE)), FILE);
        assertModifies(() -> fs.mkdirs(directory), directory);
        for (FileStatus status : fs.listStatus(ROOT)) {
            assertThat(status.getModificationTime()).isEqualTo(timeMs(status.getPath()));
        }
    }

    @Test
    void shouldTellWhenAFileWasWrittenLast() throws Exception {
        FSDataOutputStream out = fs.create(FILE);
        age(FILE);
        assertModifies(() -> write(out), FILE);
        age(FILE);
        assertModifies(() -> write(fs.append(FILE)), FILE);
        age(FILE);
        assertModifies(() -> write(fs.create(FILE, true)), FILE);
        try (FSDataOutputStream again = fs.append(FILE)) {
            again.write(1);
            age(FILE);
            assertModifies(again::hflush, FILE);
        }
    }

    @Test
    void shouldKeepTheTimeOfAFileThatIsMovedOrRead() throws Exception {
        write(fs.create(FILE));
        age(FILE);
        try (FSDataInputStream in = fs.open(FILE)) {
            assertThat(in.readAllBytes()).hasSize(1);
        }
        assertThat(timeMs(FILE)).isEqualTo(LONG_AGO_MS);
        Path moved = new Path(OTHER_DIRECTORY, "moved");
        assertThat(fs.rename(FILE, moved)).isTrue();
        assertThat(timeMs(moved)).isEqualTo(LONG_AGO_MS);
    }

    @Test
    void shouldTellWhenTheNamesInADirectoryHaveChanged() throws Exception {
        age(ROOT);
        assertModifies(() -> write(fs.create(FILE)), ROOT);
        age(ROOT);
        assertModifies(() -> fs.mkdirs(new Path(ROOT, "new")), ROOT);
        age(ROOT);
        assertModifies(() -> fs.rename(FILE, new Path(ROOT, "g")), ROOT);
        age(ROOT);
        age(OTHER_DIRECTORY);
        assertModifies(() -> fs.rename(new Path(ROOT, "g"), OTHER_DIRECTORY), ROOT, OTHER_DIRECTORY);
        age(ROOT);
        age(OTHER_DIRECTORY);
        assertModifies(() -> fs.delete(new Path(OTHER_DIRECTORY, "g"), false), OTHER_DIRECTORY);
        assertThat(timeMs(ROOT)).isEqualTo(LONG_AGO_MS);
        assertModifies(() -> fs.delete(OTHER_DIRECTORY, true), ROOT);
    }

    @Test
    void shouldKeepTheTimeOfADirectoryWhoseFileIsAppendedTo() throws Exception {
        write(fs.create(FILE));
        age(ROOT);
        write(fs.append(FILE));
        assertThat(timeMs(ROOT)).isEqualTo(LONG_AGO_MS);
    }
}
