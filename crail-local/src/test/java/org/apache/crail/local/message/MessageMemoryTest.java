/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MessageMemoryTest {
    @TempDir
    private Path directory;

    private final List<Path> others = new ArrayList<>();
    private MessageMemory made;

    @BeforeEach
    void create() throws IOException {
        made = MessageMemory.create();
    }

    @AfterEach
    void remove() throws IOException {
        made.removeName();
        for (Path other : others) {
            Files.delete(other);
        }
    }

    @Test
    void shouldBeTheUsersAlone() throws Exception {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made.path())))
                .isEqualTo("rw-------");
    }

    @Test
    void shouldShowEachEndTheOther() throws Exception {
        MessageMemory opened = MessageMemory.open(made.path());
        assertThat(made.isMarkedByOther()).isFalse();
        opened.mark();
        assertThat(made.isMarkedByOther()).isTrue();
        assertThat(opened.isMarkedByOther()).isFalse();
        made.mark();
        assertThat(opened.isMarkedByOther()).isTrue();
    }

    @Test
    void shouldCarryBytesInBothDirectionsAfterItsNameHasGone() throws Exception {
        MessageMemory opened = MessageMemory.open(made.path());
        made.removeName();
        assertThat(made.path()).doesNotExist();
        assertCarries(opened.writer(), made.reader(), "question");
        assertCarries(made.writer(), opened.reader(), "answer");
    }

    private static void assertCarries(RingWriter writer, RingReader reader, String text) throws Exception {
        RingBytes.write(writer, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        writer.publish();
        byte[] received = new byte[text.length()];
        RingBytes.read(reader, ByteBuffer.wrap(received));
        assertThat(new String(received, StandardCharsets.UTF_8)).isEqualTo(text);
        assertThat(reader.hasBytes()).isFalse();
    }

    @Test
    void shouldNotTakeAnythingElseForSuchMemory() throws Exception {
        assertRefused(other(new byte[(int) Files.size(made.path())]), "another layout");
        assertRefused(other(new byte[9]), "has 9 bytes");
        Path link =
                made.path().resolveSibling("crail-messages-link-" + made.path().getFileName());
        others.add(Files.createSymbolicLink(link, made.path()));
        assertRefused(link, "is a link");
        assertRefused(Path.of(made.path() + "-missing"), "missing");
        assertRefused(Files.copy(made.path(), directory.resolve(made.path().getFileName())), "is not a file /dev/shm/");
        assertRefused(Path.of("/"), "is not a file /dev/shm/");
        assertRefused(Path.of("/dev/shm/x/../" + made.path().getFileName()), "is not a file /dev/shm/");
    }

    private Path other(byte[] content) throws IOException {
        Path other = Files.createTempFile(made.path().getParent(), "crail-messages-", null);
        others.add(other);
        return Files.write(other, content);
    }

    private static void assertRefused(Path path, String why) {
        assertThatThrownBy(() -> MessageMemory.open(path))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(why);
    }

    /** Who made it might cut it short later, or it was offered to somebody else. */
    @Test
    void shouldNotTakeTheMemoryOfAnotherUserNorOneThatOthersMayWriteTo() throws Exception {
        Files.setPosixFilePermissions(made.path(), PosixFilePermissions.fromString("rw-rw----"));
        assertRefused(made.path(), "can be written by other users");
        Files.setPosixFilePermissions(made.path(), PosixFilePermissions.fromString("rw-------"));
        giveAway(made.path());
        assertRefused(made.path(), "belongs to user");
    }

    private static void giveAway(Path file) throws IOException {
        assumeTrue("root".equals(Files.getOwner(file).getName()), "only root can give a file away");
        Files.setAttribute(file, "unix:uid", 65_534);
    }

    @Test
    void shouldGiveMemoryOfAServerBackAtOnce() throws Exception {
        assertThat(mappings()).isEqualTo(1);
        made.release();
        made.release();
        assertThat(mappings()).isZero();
    }

    @Test
    void shouldLeaveMemoryOfAClientToTheCollector() throws Exception {
        MessageMemory opened = MessageMemory.open(made.path());
        assertThat(mappings()).isEqualTo(2);
        assertThat(opened.isMarkedByOther()).isFalse();
        opened = null;
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (mappings() > 1) {
            assertThat(System.nanoTime() - endNs).isNegative();
            System.gc();
        }
    }

    private long mappings() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains(made.path().toString())).count();
        }
    }

    @Test
    void shouldRemoveWhatKilledServersHaveLeft() throws Exception {
        MessageMemory.removeLeftovers();
        assertThat(made.path()).as("a client may be about to open it").exists();
        Files.setLastModifiedTime(made.path(), FileTime.from(Instant.now().minus(Duration.ofMinutes(2))));
        MessageMemory.removeLeftovers();
        assertThat(made.path()).doesNotExist();
    }

    @Test
    void shouldLeaveWhatServersOfOthersHaveLeft() throws Exception {
        giveAway(made.path());
        Files.setLastModifiedTime(made.path(), FileTime.from(Instant.now().minus(Duration.ofMinutes(2))));
        MessageMemory.removeLeftovers();
        assertThat(made.path()).exists();
    }
}
