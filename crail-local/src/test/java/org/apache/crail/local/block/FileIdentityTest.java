/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileIdentityTest {
    @TempDir
    private Path directory;

    private Path file;
    private FileIdentity identity;

    @BeforeEach
    void makeFile() throws Exception {
        file = Files.write(directory.resolve("file"), new byte[] {1, 2, 3});
        identity = FileIdentity.of(file);
    }

    @Test
    void shouldOpenTheFile() throws Exception {
        try (FileChannel channel = identity.open(file)) {
            assertThat(channel.size()).isEqualTo(3);
        }
    }

    @Test
    void shouldNotDependOnTheName() throws Exception {
        assertThat(FileIdentity.of(Files.move(file, directory.resolve("moved"))))
                .isEqualTo(identity);
    }

    @Test
    void shouldNotOpenAFileThatHasReplacedIt() throws Exception {
        Path other = Files.copy(file, directory.resolve("other"));
        Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(() -> identity.open(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("became another file");
    }

    @Test
    void shouldNotFollowALink() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link"), file);
        assertThat(FileIdentity.of(link)).isNotEqualTo(identity);
        assertThatThrownBy(() -> identity.open(link)).isInstanceOf(IOException.class);
    }
}
