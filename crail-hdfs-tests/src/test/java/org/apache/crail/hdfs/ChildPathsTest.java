/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("hdfs")
class ChildPathsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "file-1",
                "with space",
                "a:b",
                ":",
                "100%",
                "%41",
                "#?&=+;,[]{}|^`\"<>\\",
                "..name",
                "name.",
                "Grüße 漢字 \uD83D\uDE00",
                "tab\tnew\nline"
            })
    void shouldMakeThePathsThatHadoopMakes(String name) {
        for (String text : new String[] {"crail://host:9060/", "crail://host:9060/a/b c%/ü", "/a"}) {
            Path directory = new Path(text);
            Path path = new ChildPaths(directory).of(name);
            assertThat(path).isEqualTo(new Path(directory, new Path(null, null, name)));
            assertThat(path.getName()).isEqualTo(name);
            assertThat(path.getParent()).isEqualTo(directory);
        }
    }
}
