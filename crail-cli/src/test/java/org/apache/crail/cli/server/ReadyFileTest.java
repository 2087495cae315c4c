/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadyFileTest {
    @TempDir
    private Path directory;

    @AfterEach
    void clear() {
        System.clearProperty(ReadyFile.PROPERTY);
    }

    @Test
    void shouldHoldTheAddressUntilItIsClosed() throws Exception {
        Path file = directory.resolve("server.ready");
        System.setProperty(ReadyFile.PROPERTY, file.toString());

        ReadyFile ready = ReadyFile.write("10.0.0.1:9060", "namenode");
        assertThat(file).hasContent("10.0.0.1:9060\nnamenode\n");
        assertThat(directory).isDirectoryNotContaining("glob:**.new");

        ready.close();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void shouldWriteNothingUnlessToldTo() throws Exception {
        ReadyFile.write("10.0.0.1:9060", "namenode").close();

        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void shouldFailIfTheFileCannotBeWritten() {
        Path file = directory.resolve("missing").resolve("server.ready");
        System.setProperty(ReadyFile.PROPERTY, file.toString());

        assertThatThrownBy(() -> ReadyFile.write("10.0.0.1:9060", "namenode")).isInstanceOf(IOException.class);
        assertThat(Files.exists(file)).isFalse();
    }
}
