/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnFilesTest {
    private static final int SOMEBODY = 65_534;

    @TempDir
    private Path directory;

    private static String rights(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static void giveAway(Path path) throws IOException {
        assumeTrue(OwnFiles.user() == 0, "only root can give a file away");
        Files.setAttribute(path, "unix:uid", SOMEBODY);
    }

    @Test
    void shouldKnowWhomItsFilesBelongTo() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        assertThat(OwnFiles.user()).isEqualTo(Files.getAttribute(file, "unix:uid"));
        assertThat(OwnFiles.userText()).isEqualTo(Integer.toUnsignedString(OwnFiles.user()));
        assertThat(OwnFiles.isOwn(file)).isTrue();
    }

    @Test
    void shouldMakeDirectoriesAndFilesForItsUserAlone() throws Exception {
        Path made = directory.resolve("made");
        OwnFiles.ensureDirectory(made);
        OwnFiles.ensureDirectory(made);
        assertThat(rights(made)).isEqualTo("rwx------");
        OwnFiles.create(made.resolve("new")).close();
        OwnFiles.openOrCreate(made.resolve("lock")).close();
        OwnFiles.openOrCreate(made.resolve("lock")).close();
        assertThat(rights(made.resolve("new"))).isEqualTo("rw-------");
        assertThat(rights(made.resolve("lock"))).isEqualTo("rw-------");
        assertThatThrownBy(() -> OwnFiles.create(made.resolve("new"))).isInstanceOf(FileAlreadyExistsException.class);
        FileChannel nameless = OwnFiles.createNameless(made.resolve("nameless"));
        assertThat(made.resolve("nameless")).doesNotExist();
        nameless.close();
    }

    @Test
    void shouldTakeADirectoryThatOthersMayOnlyRead() throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        OwnFiles.ensureDirectory(directory);
        assertThat(rights(directory)).isEqualTo("rwxr-xr-x");
    }

    @Test
    void shouldRefuseADirectoryThatOthersMayWriteTo() throws Exception {
        for (String rights : List.of("rwxrwx---", "rwx----w-")) {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(rights));
            assertThatThrownBy(() -> OwnFiles.ensureDirectory(directory))
                    .hasMessage("can be written by other users (" + rights + ")");
        }
    }

    @Test
    void shouldRefuseADirectoryOfSomebodyElse() throws Exception {
        giveAway(directory);
        assertThatThrownBy(() -> OwnFiles.ensureDirectory(directory))
                .hasMessageContaining("belongs to user")
                .hasMessageContaining("and not to user " + System.getProperty("user.name") + " (0)");
    }

    @Test
    void shouldRefuseWhatIsNoDirectory() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link"), Files.createDirectory(directory.resolve("d")));
        assertThatThrownBy(() -> OwnFiles.ensureDirectory(link)).hasMessage("is a link, not a directory");
        Path dangling = Files.createSymbolicLink(directory.resolve("dangling"), directory.resolve("missing"));
        assertThatThrownBy(() -> OwnFiles.ensureDirectory(dangling)).hasMessage("is a link, not a directory");
        Path file = Files.createFile(directory.resolve("file"));
        assertThatThrownBy(() -> OwnFiles.ensureDirectory(file)).hasMessage("is not a directory");
        assertThatThrownBy(() -> OwnFiles.ensureDirectory(directory.resolve("a/b")))
                .hasMessageContaining("does not exist and cannot be made");
        assertThat(directory.resolve("missing")).doesNotExist();
    }

    @Test
    void shouldOpenItsOwnFilesOnly() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "12345");
        try (FileChannel opened = OwnFiles.openExisting(file, StandardOpenOption.READ)) {
            assertThat(opened.size()).isEqualTo(5);
        }
        Path link = Files.createSymbolicLink(directory.resolve("link"), file);
        assertRefused(link, "is a link, not a file");
        assertThatThrownBy(() -> OwnFiles.openOrCreate(link)).isInstanceOf(IOException.class);
        assertRefused(directory, "is not an ordinary file");
        assertRefused(directory.resolve("missing"), "missing");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw----"));
        assertRefused(file, "can be written by other users");
        assertThat(file).hasContent("12345");
    }

    @Test
    void shouldNotOpenAFileOfSomebodyElse() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "12345");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        giveAway(file);
        assertRefused(file, "belongs to user");
        assertThat(OwnFiles.isOwn(file)).isFalse();
        assertThat(OwnFiles.isInDirectoryOfItsOwner(file)).isFalse();
    }

    /** To open it would wait for somebody who reads. */
    @Test
    void shouldNotOpenAPipe() throws Exception {
        Path pipe = directory.resolve("pipe");
        assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0, "there is no mkfifo");
        assertRefused(pipe, "is not an ordinary file");
    }

    private static void assertRefused(Path path, String why) {
        assertThatThrownBy(() -> OwnFiles.openExisting(path, StandardOpenOption.WRITE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(path.toString())
                .hasMessageContaining(why);
    }

    @Test
    void shouldTellWhetherOnlyTheOwnerOfAFileCanHavePutItThere() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        assertThat(OwnFiles.isInDirectoryOfItsOwner(file)).isTrue();
        Path link = Files.createSymbolicLink(directory.resolve("link"), file);
        assertThat(OwnFiles.isInDirectoryOfItsOwner(link)).isFalse();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> OwnFiles.isInDirectoryOfItsOwner(file)).hasMessageContaining("other users");
    }
}
