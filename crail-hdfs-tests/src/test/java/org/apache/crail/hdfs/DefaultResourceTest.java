/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("hdfs")
class DefaultResourceTest {
    @Test
    void shouldLetFileContextsFindCrailWithoutASettingOnceItsFileSystemIsLoaded() throws Exception {
        Configuration conf = new Configuration();

        assertThat(FileSystem.getFileSystemClass("crail", conf).getConstructor().newInstance())
                .isInstanceOf(CrailHadoopFileSystem.class);

        assertThat(conf.getClass("fs.AbstractFileSystem.crail.impl", null)).isEqualTo(CrailHDFS.class);
    }
}
