/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the flags of a creation mean, whichever call they come with. */
@Tag("hdfs")
class CreateFlagsTest {
    private static final Path DIRECTORY = new Path("/flags");
    private static final Path FILE = new Path(DIRECTORY, "f");
    private static final Path MISSING = new Path(DIRECTORY, "missing");

    private Configuration conf;
    private FileSystem fs;

    @BeforeEach
    void write() throws IOException {
        conf = SharedCluster.configure(new Configuration());
        fs = FileSystem.newInstance(SharedCluster.uri(), conf);
        try (FSDataOutputStream out = fs.create(FILE)) {
            out.write(new byte[100]);
        }
    }

    @AfterEach
    void close() throws IOException {
        fs.delete(DIRECTORY, true);
        fs.close();
    }

    /** The calls of Hadoop that take flags. */
    enum Call {
        CREATE {
            @Override
            FSDataOutputStream create(FileSystem fs, Path path, EnumSet<CreateFlag> flags) throws IOException {
                return fs.create(path, null, flags, 4096, (short) 1, 1 << 20, null);
            }
        },

        CREATE_NON_RECURSIVE {
            @Override
            @SuppressWarnings("deprecation") // Hadoop's own builder calls it
            FSDataOutputStream create(FileSystem fs, Path path, EnumSet<CreateFlag> flags) throws IOException {
                return fs.createNonRecursive(path, null, flags, 4096, (short) 1, 1 << 20, null);
            }
        },

        FILE_CONTEXT {
            @Override
            FSDataOutputStream create(FileSystem fs, Path path, EnumSet<CreateFlag> flags) throws IOException {
                return FileContext.getFileContext(fs.getUri(), fs.getConf())
                        .create(path, flags, Options.CreateOpts.createParent());
            }
        },

        FILE_CONTEXT_NON_RECURSIVE {
            @Override
            FSDataOutputStream create(FileSystem fs, Path path, EnumSet<CreateFlag> flags) throws IOException {
                return FileContext.getFileContext(fs.getUri(), fs.getConf())
                        .create(path, flags, Options.CreateOpts.donotCreateParent());
            }
        };

        abstract FSDataOutputStream create(FileSystem fs, Path path, EnumSet<CreateFlag> flags) throws IOException;
    }

    private long lengthAfter(Call call, Path path, EnumSet<CreateFlag> flags) throws IOException {
        try (FSDataOutputStream out = call.create(fs, path, flags)) {
            out.write(new byte[7]);
        }
        return fs.getFileStatus(path).getLen();
    }

    @ParameterizedTest
    @EnumSource
    void shouldAppendToWhatExists(Call call) throws Exception {
        assertThat(lengthAfter(call, FILE, EnumSet.of(CreateFlag.CREATE, CreateFlag.APPEND)))
                .isEqualTo(107);
        assertThat(lengthAfter(call, FILE, EnumSet.of(CreateFlag.APPEND))).isEqualTo(114);
    }

    @ParameterizedTest
    @EnumSource
    void shouldCreateWhatIsMissingIfToldSo(Call call) throws Exception {
        assertThat(lengthAfter(call, MISSING, EnumSet.of(CreateFlag.CREATE, CreateFlag.APPEND)))
                .isEqualTo(7);
        fs.delete(MISSING, false);
        assertThat(lengthAfter(call, MISSING, EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE)))
                .isEqualTo(7);
        fs.delete(MISSING, false);
        assertThat(lengthAfter(call, MISSING, EnumSet.of(CreateFlag.CREATE))).isEqualTo(7);
    }

    @ParameterizedTest
    @EnumSource
    void shouldReplaceWhatExistsIfToldSo(Call call) throws Exception {
        assertThat(lengthAfter(call, FILE, EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE)))
                .isEqualTo(7);
        assertThat(lengthAfter(call, FILE, EnumSet.of(CreateFlag.OVERWRITE))).isEqualTo(7);
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseWhatTheFlagsDoNotAllow(Call call) throws Exception {
        for (CreateFlag flag : EnumSet.of(CreateFlag.APPEND, CreateFlag.OVERWRITE)) {
            assertThatThrownBy(() -> call.create(fs, MISSING, EnumSet.of(flag)))
                    .isInstanceOf(FileNotFoundException.class)
                    .hasMessageContaining(MISSING.toString());
        }
        assertThatThrownBy(() -> call.create(fs, FILE, EnumSet.of(CreateFlag.CREATE)))
                .isInstanceOf(FileAlreadyExistsException.class)
                .hasMessageContaining(FILE.toString());
        assertThatThrownBy(() -> call.create(fs, FILE, EnumSet.of(CreateFlag.APPEND, CreateFlag.OVERWRITE)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(fs.exists(MISSING)).isFalse();
        assertThat(fs.getFileStatus(FILE).getLen()).isEqualTo(100);
    }

    @Test
    void shouldAppendWithABuilderThatMayCreate() throws Exception {
        Path path = new Path(DIRECTORY, "new/log");
        for (int i = 1; i <= 3; i++) {
            try (FSDataOutputStream out =
                    fs.appendFile(path).create().recursive().build()) {
                out.write(new byte[10]);
            }
            assertThat(fs.getFileStatus(path).getLen()).isEqualTo(10L * i);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldMakeParentsOnlyIfToldSo(Call call) throws Exception {
        Path path = new Path(DIRECTORY, "new/log");
        boolean makes = call == Call.CREATE || call == Call.FILE_CONTEXT;
        for (EnumSet<CreateFlag> flags :
                List.of(EnumSet.of(CreateFlag.CREATE), EnumSet.of(CreateFlag.CREATE, CreateFlag.APPEND))) {
            if (makes) {
                assertThat(lengthAfter(call, path, flags)).isEqualTo(7);
                fs.delete(path.getParent(), true);
            } else {
                assertThatThrownBy(() -> call.create(fs, path, flags))
                        .isInstanceOf(FileNotFoundException.class)
                        .hasMessageContaining(path.toString());
                assertThat(fs.exists(path.getParent())).isFalse();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseAFileAsParent(Call call) {
        Path path = new Path(FILE, "log");
        assertThatThrownBy(() -> call.create(fs, path, EnumSet.of(CreateFlag.CREATE)))
                .isInstanceOf(ParentNotDirectoryException.class)
                .hasMessageContaining(path.toString());
    }
}
