/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.apache.crail.error.InvalidPathException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Names that URIs encode, that are not ASCII, or that are as long as they may be, and longer. */
@Tag("hdfs")
class NamesTest {
    private static final Path ROOT = new Path("/names");
    private static final Path OTHER = new Path(ROOT, "other");

    private CrailHadoopFileSystem fs;
    private FileContext context;

    @BeforeEach
    void connect() throws IOException {
        Configuration conf = SharedCluster.configure(new Configuration());
        fs = (CrailHadoopFileSystem) FileSystem.newInstance(SharedCluster.uri(), conf);
        context = FileContext.getFileContext(SharedCluster.uri(), conf);
        fs.mkdirs(ROOT);
    }

    @AfterEach
    void close() throws IOException {
        fs.delete(ROOT, true);
        fs.close();
    }

    static Stream<String> names() {
        return Stream.concat(namesThatGlobsTake(), Stream.of("a:b", ":"));
    }

    /** Hadoop's globs take no colon, whatever the file system. */
    static Stream<String> namesThatGlobsTake() {
        return Stream.of(
                "a b",
                " a ",
                "%",
                "%20",
                "a%20b",
                "a%2Fb",
                "#",
                "a#b",
                "?",
                "a?b=c",
                "plus+and&",
                "größe",
                "файл",
                "日本",
                "\uD83D\uDE00",
                "x".repeat(255),
                "日".repeat(85));
    }

    static Stream<String> namesThatAreTooLong() {
        return Stream.of("x".repeat(256), "日".repeat(85) + "x");
    }

    private static Path child(Path directory, String name) {
        return new Path(directory, new Path(null, null, name));
    }

    private void write(Path path, int value) throws IOException {
        try (FSDataOutputStream out = fs.create(path)) {
            out.write(value);
        }
    }

    private void assertHolds(Path path, int... values) throws IOException {
        try (FSDataInputStream in = fs.open(path)) {
            for (int value : values) {
                assertThat(in.read()).isEqualTo(value);
            }
            assertThat(in.read()).isEqualTo(-1);
        }
    }

    private void assertOnly(Path path, FileStatus... found) {
        assertThat(found).extracting(FileStatus::getPath).containsExactly(fs.makeQualified(path));
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldNameFiles(String name) throws Exception {
        Path path = child(ROOT, name);
        write(path, 1);
        try (FSDataOutputStream out = fs.append(path)) {
            out.write(2);
        }
        assertHolds(path, 1, 2);
        assertThat(fs.getFileStatus(path).getPath().getName()).isEqualTo(name);
        assertOnly(path, fs.listStatus(ROOT));

        assertThat(fs.rename(path, OTHER)).isTrue();
        assertThat(fs.exists(path)).isFalse();
        assertThat(fs.rename(OTHER, path)).isTrue();
        assertHolds(path, 1, 2);
        write(OTHER, 3);
        fs.rename(OTHER, path, Options.Rename.OVERWRITE);
        assertHolds(path, 3);
        assertOnly(path, fs.listStatus(ROOT));

        assertThat(fs.delete(path, false)).isTrue();
        assertThat(fs.listStatus(ROOT)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldNameDirectories(String name) throws Exception {
        Path directory = child(ROOT, name);
        write(child(directory, name), 1);
        assertOnly(directory, fs.listStatus(ROOT));
        assertOnly(child(directory, name), fs.listStatus(directory));

        assertThat(fs.rename(directory, OTHER)).isTrue();
        assertHolds(child(OTHER, name), 1);
        assertThat(fs.rename(OTHER, directory)).isTrue();
        assertHolds(child(directory, name), 1);

        assertThat(fs.delete(directory, true)).isTrue();
        assertThat(fs.listStatus(ROOT)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldNameFilesOfFileContexts(String name) throws Exception {
        Path path = child(ROOT, name);
        context.create(path, EnumSet.of(CreateFlag.CREATE)).close();
        try (FSDataOutputStream out = context.create(path, EnumSet.of(CreateFlag.APPEND))) {
            out.write(2);
        }
        assertThat(context.getFileStatus(path).getPath().getName()).isEqualTo(name);
        assertOnly(path, context.util().listStatus(ROOT));

        context.rename(path, OTHER);
        assertThat(context.util().exists(path)).isFalse();
        context.rename(OTHER, path);
        assertHolds(path, 2);
        write(OTHER, 3);
        context.rename(OTHER, path, Options.Rename.OVERWRITE);
        assertHolds(path, 3);

        assertThat(context.delete(path, false)).isTrue();
        assertThat(fs.listStatus(ROOT)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("namesThatGlobsTake")
    void shouldFindNamesByGlobs(String name) throws Exception {
        Path directory = child(ROOT, name);
        Path file = child(directory, name);
        write(file, 1);
        fs.mkdirs(new Path(OTHER, "y"));
        String itself = name.replace("?", "\\?");
        String begin = itself.substring(0, itself.offsetByCodePoints(0, itself.startsWith("\\") ? 2 : 1));
        for (String pattern :
                List.of(itself + "/" + itself, itself + "/*", begin + "*/" + begin + "*", "*/" + itself)) {
            Path glob = new Path(ROOT + "/" + pattern);
            assertOnly(file, fs.globStatus(glob));
            assertOnly(file, context.util().globStatus(glob));
        }
        assertThat(fs.globStatus(new Path(ROOT, "*")))
                .extracting(FileStatus::getPath)
                .containsExactlyInAnyOrder(fs.makeQualified(directory), fs.makeQualified(OTHER));
    }

    @Test
    void shouldListNamesInTheirOrder() throws Exception {
        List<String> names = names().toList();
        for (String name : names) {
            write(child(ROOT, name), 1);
        }
        assertThat(Arrays.stream(fs.listStatus(ROOT))
                        .map(status -> status.getPath().getName()))
                .containsExactlyInAnyOrderElementsOf(names)
                .isSorted();
    }

    /** The text of a path is not decoded, the URI of one is. */
    @Test
    void shouldTellEncodedNamesFromOthers() throws Exception {
        write(new Path(ROOT + "/a b"), 1);
        write(new Path(ROOT + "/a%20b"), 2);
        write(new Path(ROOT + "/a/b"), 3);
        write(new Path(ROOT + "/a%2Fb"), 4);
        assertHolds(new Path(URI.create(ROOT + "/a%20b")), 1);
        assertHolds(new Path(URI.create(ROOT + "/a%2520b")), 2);
        assertHolds(new Path(URI.create(ROOT + "/a%2Fb")), 3);
        assertHolds(new Path(URI.create(ROOT + "/a%252Fb")), 4);
        assertHolds(new Path(ROOT + "/a b"), 1);
        assertHolds(new Path(ROOT + "/a%20b"), 2);
        assertHolds(new Path(ROOT + "/a/b"), 3);
        assertHolds(new Path(ROOT + "/a%2Fb"), 4);
    }

    @ParameterizedTest
    @MethodSource("namesThatAreTooLong")
    void shouldRefuseNamesThatAreTooLong(String name) throws Exception {
        Path path = new Path(ROOT, name);
        Path there = new Path(ROOT, "there");
        write(there, 1);
        List<ThrowingCallable> calls = List.of(
                () -> fs.create(path),
                () -> fs.append(path),
                () -> fs.mkdirs(path),
                () -> fs.mkdirs(new Path(path, "x")),
                () -> fs.open(path),
                () -> fs.getFileStatus(path),
                () -> fs.listStatus(path),
                () -> fs.rename(there, path),
                () -> fs.rename(path, there),
                () -> fs.rename(there, path, Options.Rename.OVERWRITE),
                () -> fs.delete(path, true),
                () -> context.create(path, EnumSet.of(CreateFlag.CREATE)),
                () -> context.mkdir(path, FileContext.DEFAULT_PERM, true),
                () -> context.getFileStatus(path),
                () -> context.rename(there, path),
                () -> context.delete(path, true));
        assertThat(calls).allSatisfy(call -> assertThatThrownBy(call)
                .isInstanceOf(PathIOException.class)
                .hasMessageContaining(path.toString())
                .hasMessageContaining("255")
                .hasCauseInstanceOf(InvalidPathException.class));
        assertOnly(there, fs.listStatus(ROOT));
        assertHolds(there, 1);
    }
}
