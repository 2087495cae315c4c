/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.apache.crail.conf.ConfigKey;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.StorageFailureException;
import org.apache.crail.local.block.MappedRegion;
import org.apache.crail.local.block.RegionName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DataPathTest {
    private static final long BLOCK = 4096;
    static final MemoryTierKeys KEYS = new MemoryTierKeys(
            "some",
            ConfigKey.string("some.interface")
                    .group("g")
                    .text("t")
                    .defaultText("")
                    .build(),
            ConfigKey.port("some.port").group("g").text("t").defaultText("0").build(),
            ConfigKey.bytes("some.limit").group("g").text("t").defaultText("1m").build(),
            ConfigKey.bytes("some.size").group("g").text("t").defaultText("1m").build(),
            ConfigKey.path("some.path").group("g").text("t").defaultText("").build());

    @TempDir
    private Path directory;

    private static DataDirectory claim(Path path) throws Exception {
        return new DataPath(path, KEYS).claim("some-any-1");
    }

    @Test
    void shouldKeepARegionInAFileUntilItIsClosed() throws Exception {
        DataDirectory own = claim(directory.resolve("data"));
        MappedRegion region = own.createRegion(3 * BLOCK, BLOCK);
        assertThat(region.blocks()).isEqualTo(3);
        assertThat(region.segments()).isEqualTo(1);
        region.slice(BLOCK, 8).putLong(7);
        ByteBuffer all = region.segment(0);
        assertThat(all.capacity()).isEqualTo(3 * (int) BLOCK);
        assertThat(all.getLong((int) BLOCK)).isEqualTo(7);
        assertThat(Files.size(own.path().resolve("region-0"))).isEqualTo(3 * BLOCK);
        own.close();
        own.close();
        assertThat(own.path()).doesNotExist();
    }

    @Test
    void shouldGiveTwoDatanodesDirectoriesOfTheirOwn() throws Exception {
        try (DataDirectory first = claim(directory);
                DataDirectory second = claim(directory)) {
            assertThat(first.path()).isNotEqualTo(second.path());
        }
    }

    @Test
    void shouldLetDatanodesThatStartAtOnceMakeTheirDataPathTogether() throws Exception {
        for (int round = 0; round < 200; round++) {
            Path missing = directory.resolve("data" + round);
            CyclicBarrier start = new CyclicBarrier(2);
            FutureTask<Path> other = new FutureTask<>(() -> claimAndClose(start, missing));
            new Thread(other, "other datanode").start();
            Path own = claimAndClose(start, missing);
            assertThat(List.of(own, other.get())).allMatch(path -> missing.equals(path.getParent()));
        }
    }

    private static Path claimAndClose(CyclicBarrier start, Path path) throws Exception {
        start.await();
        try (DataDirectory claimed = claim(path)) {
            return claimed.path();
        }
    }

    @Test
    void shouldKeepTheLocksOfThisProcessWhenAnotherDatanodeOfItStarts() throws Exception {
        try (DataDirectory first = claim(directory);
                DataDirectory second = claim(directory)) {
            assertThat(LockProbe.isLocked(first.path().resolve(DataDirectory.LOCK_FILE)))
                    .isTrue();
            assertThat(LockProbe.isLocked(second.path().resolve(DataDirectory.LOCK_FILE)))
                    .isTrue();
        }
    }

    @Test
    void shouldSayBeforeTheFirstRegionThatTheWholeDoesNotFit() throws Exception {
        try (DataDirectory own = claim(directory)) {
            own.requireRoom(BLOCK);
            assertThatThrownBy(() -> own.requireRoom(1L << 60))
                    .isInstanceOf(StorageFailureException.class)
                    .hasMessageStartingWith(
                            "some.limit = " + (1L << 60) + " bytes (" + (1L << 40) + " MiB) do not fit: ")
                    .hasMessageContaining("MiB) are free in " + directory);
        }
    }

    @Test
    void shouldRemoveWhatACrashedDatanodeLeftAndNothingElse() throws Exception {
        DataDirectory running = claim(directory);
        running.createRegion(BLOCK, BLOCK);
        Path crashed = Files.createDirectory(directory.resolve("some-any-50020"));
        Files.writeString(crashed.resolve(DataDirectory.LOCK_FILE), "");
        Files.writeString(crashed.resolve("region-0"), "data");
        Path odd = Files.createDirectory(directory.resolve("some-any-50021"));
        Files.writeString(odd.resolve(DataDirectory.LOCK_FILE), "");
        Files.writeString(odd.resolve("notes"), "not ours");
        Path foreign = Files.createDirectory(directory.resolve("photos"));
        Files.writeString(foreign.resolve("region-0"), "a picture");
        try (DataDirectory own = claim(directory)) {
            assertThat(own.path()).exists();
            assertThat(crashed).doesNotExist();
            assertThat(odd.resolve("notes")).hasContent("not ours");
            assertThat(foreign.resolve("region-0")).hasContent("a picture");
            assertThat(running.path().resolve("region-0")).exists();
        }
        running.close();
    }

    /** Others must not be able to look into the data, whatever the umask of the datanode. */
    @Test
    void shouldMakeEverythingForItsUserAlone() throws Exception {
        Path path = directory.resolve("data");
        try (DataDirectory own = claim(path)) {
            MappedRegion region = own.createRegion(BLOCK, BLOCK);
            own.shareRegion(region, 0, new RegionName(1, 0, 0, 0));
            try (Stream<Path> all = Files.walk(path)) {
                assertThat(all).allSatisfy(file -> assertThat(rights(file))
                        .as(file.toString())
                        .isEqualTo(Files.isDirectory(file) ? "rwx------" : "rw-------"));
            }
        }
    }

    private static String rights(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    /** Who can write to it can have the datanode cut and remove files of its user. */
    @ParameterizedTest
    @ValueSource(strings = {"rwxrwx---", "rwx----wx", "rwxrwxrwx"})
    void shouldTouchNothingInADataPathThatOthersMayWriteTo(String rights) throws Exception {
        Path left = leftBehind("victim");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(rights));
        assertThatThrownBy(() -> claim(directory))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("data path " + directory + " can be written by other users (" + rights + ")")
                .hasMessageContaining("some.path");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        assertThat(left.resolve("region-0")).exists();
        assertThat(directory.resolve(".crail-lock")).doesNotExist();
    }

    @Test
    void shouldTouchNothingInADataPathOfSomebodyElse() throws Exception {
        assumeTrue("root".equals(Files.getOwner(directory).getName()), "only root can give a directory away");
        Path left = leftBehind("victim");
        Files.setAttribute(directory, "unix:uid", 65_534);
        assertThatThrownBy(() -> claim(directory))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("belongs to user")
                .hasMessageContaining("some.path");
        assertThat(left.resolve("region-0")).exists();
    }

    @Test
    void shouldRefuseALinkInThePlaceOfTheDataPath() throws Exception {
        Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), elsewhere);
        assertThatThrownBy(() -> claim(link)).hasMessageContaining("is a link");
        assertThat(elsewhere).isEmptyDirectory();
    }

    /** A directory that a crashed datanode seems to have left, with a link in it. */
    private Path leftBehind(String victim) throws IOException {
        Path left = Files.createDirectory(directory.resolve("some-any-50020"));
        Files.writeString(left.resolve(DataDirectory.LOCK_FILE), "");
        Files.createSymbolicLink(left.resolve("region-0"), directory.resolve(victim));
        Files.writeString(directory.resolve(victim), "precious");
        return left;
    }

    @Test
    void shouldNotFollowLinksWhenItCleans() throws Exception {
        Path left = leftBehind("victim");
        claim(directory).close();
        assertThat(directory.resolve("victim")).hasContent("precious");
        assertThat(left).doesNotExist();
    }

    @Test
    void shouldNotFollowLinksInADirectoryOfKeptData() throws Exception {
        InetSocketAddress address = kept(BLOCK).bind();
        DataDirectory first = kept(BLOCK).claimKeptDirectory(address);
        first.createRegion(BLOCK, BLOCK);
        first.close();
        Path victim = Files.write(directory.resolve("victim"), new byte[(int) BLOCK]);
        Path region = first.path().resolve("region-0");
        Files.delete(region);
        Files.createSymbolicLink(region, victim);
        try (DataDirectory second = kept(BLOCK).claimKeptDirectory(address)) {
            second.createRegion(BLOCK, BLOCK).slice(0, 8).putLong(4711);
        }
        assertThat(victim).hasBinaryContent(new byte[(int) BLOCK]);
        Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
        Files.move(first.path(), directory.resolve("former"));
        Files.createSymbolicLink(first.path(), elsewhere);
        assertThatThrownBy(() -> kept(BLOCK).claimKeptDirectory(address)).hasMessageContaining("is a link");
        assertThat(elsewhere).isEmptyDirectory();
    }

    /** What was put there while others could write to it may be anything. */
    @Test
    void shouldLeaveADirectoryAloneThatOthersMayWriteTo() throws Exception {
        Path left = leftBehind("victim");
        Files.setPosixFilePermissions(left, PosixFilePermissions.fromString("rwxrwxrwx"));
        claim(directory).close();
        assertThat(left.resolve("region-0")).exists();
    }

    @Test
    void shouldSayThatADataPathCannotBeMade() {
        Path missing = directory.resolve("no").resolve("such");
        assertThatThrownBy(() -> claim(missing))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(missing.toString())
                .hasMessageContaining("does not exist")
                .hasMessageContaining("some.path");
    }

    @Test
    void shouldSayThatADataPathIsNoDirectory() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        assertThatThrownBy(() -> claim(file))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("is not a directory");
    }

    @Test
    void shouldSayThatADataPathCannotBeWritten() throws Exception {
        List<String> withoutRights = commandWithoutRights(directory);
        Path locked = Files.createDirectory(directory.resolve("locked"));
        Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("r-xr-xr-x"));
        assertThat(DataPathProbe.claim(withoutRights, locked))
                .contains("ConfigurationException")
                .contains("data path " + locked + " cannot be written by user " + System.getProperty("user.name"))
                .contains("some.path");
        assertThat(locked).isEmptyDirectory();
        assertThat(DataPathProbe.claim(withoutRights, directory)).contains("claimed " + directory);
    }

    /** A command that starts a process that may not write everywhere: root can do without the right that lets it. */
    private static List<String> commandWithoutRights(Path writable) throws Exception {
        if (!"root".equals(System.getProperty("user.name"))) {
            return List.of();
        }
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "root may write everywhere, and has no setpriv");
        String rights = "-dac_override,-dac_read_search";
        List<String> command = List.of("setpriv", "--bounding-set=" + rights, "--inh-caps=" + rights);
        assumeTrue(
                DataPathProbe.claim(command, writable).contains("claimed"),
                "root may write everywhere, and setpriv cannot take that from it, or not from a process that runs");
        return command;
    }

    @Test
    void shouldSayThatTheSystemRefusesADataPath() {
        assertThatThrownBy(() -> claim(Path.of("/proc/self/crail")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("/proc/self/crail");
    }

    @Test
    void shouldSayWhenThereIsNotEnoughSpace() throws Exception {
        try (DataDirectory own = claim(directory)) {
            assertThatThrownBy(() -> own.createRegion(1L << 50, BLOCK))
                    .isInstanceOf(StorageFailureException.class)
                    .hasMessageContaining(directory.toString())
                    .hasMessageContaining(Long.toString(1L << 50))
                    .hasMessageContaining("bytes are free")
                    .hasMessageContaining("some.limit");
            assertThat(own.path()).isDirectoryNotContaining("glob:**region-*");
        }
    }

    @Test
    void shouldFindThatARegionHasBeenCutShort() throws Exception {
        try (DataDirectory own = claim(directory)) {
            MappedRegion whole = own.createRegion(2 * BLOCK, BLOCK);
            MappedRegion cut = own.createRegion(2 * BLOCK, BLOCK);
            assertThat(own.isHealthy()).isTrue();
            try (FileChannel file = FileChannel.open(own.path().resolve("region-1"), StandardOpenOption.WRITE)) {
                file.truncate(2 * BLOCK - 1);
                assertThat(own.isHealthy()).isFalse();
                file.write(ByteBuffer.allocate(2 * (int) BLOCK));
            }
            assertThat(cut.hasFailed()).isTrue();
            assertThat(whole.hasFailed()).isFalse();
            assertThat(own.isHealthy()).as("what was there is lost").isFalse();
        }
    }

    /** Who has it mapped keeps its memory. */
    @Test
    void shouldNotTakeAFileWithoutANameForAFailure() throws Exception {
        try (DataDirectory own = claim(directory)) {
            MappedRegion region = own.createRegion(BLOCK, BLOCK);
            Files.delete(own.path().resolve("region-0"));
            assertThat(own.isHealthy()).isTrue();
            assertThat(region.hasFailed()).isFalse();
        }
    }

    private MemoryTierSettings kept(long totalBytes) {
        return new MemoryTierSettings(
                KEYS,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 7),
                directory,
                totalBytes,
                totalBytes,
                BLOCK);
    }

    @Test
    void shouldHandKeptDataToTheNextDatanodeOfTheSameSizes() throws Exception {
        InetSocketAddress address = kept(BLOCK).bind();
        DataDirectory first = kept(2 * BLOCK).claimKeptDirectory(address);
        first.createRegion(2 * BLOCK, BLOCK).slice(BLOCK, 8).putLong(4711);
        first.close();
        assertThat(first.path().resolve("region-0")).exists();
        try (DataDirectory other = claim(directory)) {
            assertThat(first.path())
                    .as("no left-over")
                    .isNotEqualTo(other.path())
                    .exists();
        }
        try (DataDirectory second = kept(2 * BLOCK).claimKeptDirectory(address)) {
            assertThat(second.incarnation()).isEqualTo(first.incarnation());
            assertThat(second.createRegion(2 * BLOCK, BLOCK).slice(BLOCK, 8).getLong())
                    .isEqualTo(4711);
            assertThatThrownBy(() -> kept(2 * BLOCK).claimKeptDirectory(address))
                    .isInstanceOf(StorageFailureException.class)
                    .hasMessageContaining("in use");
        }
        try (DataDirectory larger = kept(3 * BLOCK).claimKeptDirectory(address)) {
            assertThat(larger.incarnation()).isNotEqualTo(first.incarnation());
            assertThat(larger.createRegion(3 * BLOCK, BLOCK).slice(BLOCK, 8).getLong())
                    .isZero();
        }
    }

    /** Its clients may have them mapped, and others would look for them. */
    @Test
    void shouldRemoveTheFencesOfAKilledDatanodeBeforeTheNextOneMakesItsOwn() throws Exception {
        InetSocketAddress address = kept(BLOCK).bind();
        DataDirectory first = kept(BLOCK).claimKeptDirectory(address);
        first.createRegion(BLOCK, BLOCK).slice(0, 8).putLong(4711);
        first.close();
        Path[] fences = {first.path().resolve("region-0.fence"), first.path().resolve("region-1.fence")};
        for (Path fence : fences) {
            Files.write(fence, new byte[(int) BLOCK]);
        }
        try (DataDirectory second = kept(BLOCK).claimKeptDirectory(address)) {
            assertThat(fences).allSatisfy(fence -> assertThat(fence).doesNotExist());
            assertThat(second.createRegion(BLOCK, BLOCK).slice(0, 8).getLong()).isEqualTo(4711);
        }
    }

    /** What is kept must not be lost because of a file that can be made again. */
    @Test
    void shouldKeepTheDataWhenAFenceCannotBeRemoved() throws Exception {
        InetSocketAddress address = kept(BLOCK).bind();
        DataDirectory first = kept(BLOCK).claimKeptDirectory(address);
        first.createRegion(BLOCK, BLOCK).slice(0, 8).putLong(4711);
        first.close();
        Path fence = Files.createDirectory(first.path().resolve("region-0.fence"));
        assertThatThrownBy(() -> kept(BLOCK).claimKeptDirectory(address))
                .isInstanceOf(StorageFailureException.class)
                .hasMessageContaining(fence.toString());
        Files.delete(fence);
        try (DataDirectory second = kept(BLOCK).claimKeptDirectory(address)) {
            assertThat(second.createRegion(BLOCK, BLOCK).slice(0, 8).getLong()).isEqualTo(4711);
        }
    }

    /** After a restart of the machine, memory is empty, and a file may be older than it looks. */
    @Test
    void shouldNotTrustDataFromBeforeTheMachineWasStarted() throws Exception {
        InetSocketAddress address = kept(BLOCK).bind();
        DataDirectory first = kept(BLOCK).claimKeptDirectory(address);
        first.createRegion(BLOCK, BLOCK).slice(0, 8).putLong(4711);
        first.close();
        Path state = first.path().resolve(KeptState.FILE);
        Files.writeString(state, Files.readString(state).replaceAll("[^\n]+\n$", "another-start\n"));
        try (DataDirectory second = kept(BLOCK).claimKeptDirectory(address)) {
            assertThat(second.incarnation()).isNotEqualTo(first.incarnation());
            assertThat(second.createRegion(BLOCK, BLOCK).slice(0, 8).getLong()).isZero();
        }
    }
}
