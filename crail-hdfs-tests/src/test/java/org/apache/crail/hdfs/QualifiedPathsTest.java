/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Paths are made absolute as Hadoop does it, though some in a shorter way; seen in the working directory. */
@Tag("hdfs")
class QualifiedPathsTest {
    private static FileSystem fs;

    @BeforeAll
    static void connect() throws IOException {
        fs = FileSystem.newInstance(SharedCluster.uri(), SharedCluster.configure(new Configuration()));
    }

    @AfterAll
    static void close() throws IOException {
        fs.close();
    }

    static Stream<Path> paths() {
        Stream<Path> texts = Stream.of(
                        "/",
                        "/a",
                        "/a/b.c",
                        "/with space",
                        "/a:b",
                        "/100%",
                        "/%41",
                        "/#?&=+;,[]{}|^`\"<>\\",
                        "/..",
                        "/a/..",
                        "/Grüße/漢字 \uD83D\uDE00",
                        "a",
                        "../a",
                        "crail:/a")
                .map(Path::new);
        Stream<Path> uris = Stream.of(
                        "/a/b", "/a/b/", "/%41", "/a%2Fb", "/%C3%BC", "/a/%2E%2E/b", "/a?x=1", "/a#b", "crail:/a")
                .map(URI::create)
                .map(Path::new);
        return Stream.concat(texts, uris);
    }

    @ParameterizedTest
    @MethodSource("paths")
    void shouldMakeThePathsThatHadoopMakes(Path path) {
        fs.setWorkingDirectory(fs.getHomeDirectory());
        Path expected = fs.makeQualified(path);
        fs.setWorkingDirectory(path);
        Path found = fs.getWorkingDirectory();
        assertThat(found).isEqualTo(expected).hasSameHashCodeAs(expected).hasToString(expected.toString());
        assertThat(found.toUri()).hasToString(expected.toUri().toString());
    }
}
