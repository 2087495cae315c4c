/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FilePagesTest {
    private static final int MIB = 1 << 20;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4096, MIB, 2 * MIB + 1})
    void shouldWriteZerosUpToTheLength(int length) throws Exception {
        Path path = directory.resolve("file");
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            FilePages.fill(file, length);
        }
        assertThat(Files.readAllBytes(path)).isEqualTo(new byte[length]);
    }

    /** The system's device for that has no room for anything. */
    @Test
    void shouldSayThatAFileCannotBeFilled() throws Exception {
        try (FileChannel full = FileChannel.open(Path.of("/dev/full"), StandardOpenOption.WRITE)) {
            assertThatThrownBy(() -> FilePages.fill(full, MIB))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("No space left");
        }
    }

    @Test
    void shouldTellOrdinaryPagesFromHugeOnes() throws Exception {
        assertThat(FilePages.areHuge(Files.getFileStore(directory))).isFalse();
    }
}
