/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.storage.file.DataDirectory;
import org.apache.crail.storage.file.TestDirectories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalRegionsTest {
    private static final int BLOCK = 4096;
    private static final int BLOCKS = 4;
    private static final int KEY = 7_000;

    /** So many bytes that a copy takes a while. */
    private static final int LONG = 1 << 24;

    /** How the lines begin that name what is mapped. */
    private static final Pattern MAPPING = Pattern.compile("[0-9a-f]+-[0-9a-f]+ ");

    private static final DataNodeInfo DATANODE = new DataNodeInfo(0, 0, 0, "localhost", 1);

    @TempDir(factory = InMemory.class)
    private Path path;

    private DataDirectory directory;
    private MappedRegion region;
    private BlockFence fence;
    private LocalRegions regions;

    @BeforeEach
    void startDatanode() throws Exception {
        directory = TestDirectories.claim(path, "some-any-1");
        region = directory.createRegion(BLOCKS * BLOCK, BLOCK);
        fence = directory.shareRegion(region, 0, new RegionName(KEY, 0, 0, 0)).orElseThrow();
        regions = new LocalRegions(directory.offer());
    }

    @AfterEach
    void stopDatanode() {
        directory.close();
    }

    private static BlockInfo block(int number, long epoch) {
        return new BlockInfo(DATANODE, (long) number * BLOCK, (long) number * BLOCK, BLOCK, KEY, epoch);
    }

    private static ByteBuffer bytes(int length, int value) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        return ByteBuffer.allocateDirect(length).put(bytes).clear();
    }

    private static byte[] content(ByteBuffer buffer) {
        byte[] content = new byte[buffer.remaining()];
        buffer.duplicate().get(content);
        return content;
    }

    /** Until the region has been mapped, which happens on another thread. */
    private void awaitMapped() throws CrailException {
        while (!regions.transfer(false, block(0, 0), 0, bytes(1, 0))) {
            Thread.onSpinWait();
        }
    }

    /** The last page stays, in which zeros are in place of epochs then. */
    private void cutLastByteOfFence() throws IOException {
        try (FileChannel file = FileChannel.open(FenceFile.beside(file()), StandardOpenOption.WRITE)) {
            file.truncate(file.size() - 1);
        }
    }

    /** A device moves bytes whatever the fence says. */
    @Test
    void shouldEndNothingButCopiesWhenAFenceIsCutShortThatTheDatanodeDoesNotNeed() throws Exception {
        awaitMapped();
        cutLastByteOfFence();
        assertThat(directory.isHealthy()).isTrue();
        assertThat(region.hasFailed()).isFalse();
        assertThat(regions.transfer(true, block(0, 1), 0, bytes(1, 5)))
                .as("whether a client copies into the block")
                .isFalse();
        assertThat(directory.isHealthy()).as("later").isTrue();
    }

    @Test
    void shouldFailTheRegionWhenAFenceIsCutShortThatTheDatanodeNeeds() throws Exception {
        region.needFence();
        awaitMapped();
        cutLastByteOfFence();
        assertThat(directory.isHealthy()).isFalse();
        assertThat(region.hasFailed()).isTrue();
        assertThat(regions.transfer(true, block(0, 1), 0, bytes(1, 5)))
                .as("whether a client copies into the block")
                .isFalse();
        assertThat(directory.isHealthy()).as("later").isFalse();
    }

    @Test
    void shouldEndCopiesIntoWhatIsLeftOfARegionThatWasCutShort() throws Exception {
        awaitMapped();
        cut(file(), BLOCK);
        assertThat(directory.isHealthy()).isFalse();
        try (FileChannel file = FileChannel.open(file(), StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.allocate(BLOCKS * BLOCK)); // as long as before, and not what clients have written
        }
        assertThat(regions.transfer(true, block(0, 1), 0, bytes(1, 5)))
                .as("write")
                .isFalse();
        assertThat(regions.transfer(false, block(3, 1), 0, bytes(1, 5)))
                .as("read")
                .isFalse();
    }

    @Test
    void shouldEndCopiesIntoARegionThatTheDatanodeCouldNotUse() throws Exception {
        awaitMapped();
        region.lost(new InternalError("for this test"));
        assertThat(regions.transfer(true, block(0, 1), 0, bytes(1, 5))).isFalse();
    }

    @Test
    void shouldTryAgainToMapWhatCouldNotBeMapped() throws Exception {
        Path hidden = path.resolve("hidden");
        Files.move(FenceFile.beside(file()), hidden);
        assertThat(regions.isMapped(block(0, 1))).isFalse();
        mapAnother(); // which began later, and so ends later as a rule
        Files.move(hidden, FenceFile.beside(file()));
        do {
            assertThat(regions.renew(directory.offer())).isTrue();
        } while (!regions.isMapped(block(0, 1)));
    }

    private LocalRegion open() throws IOException {
        return LocalRegion.open(file(), directory.offer(), KEY);
    }

    private Path file() {
        return directory.path().resolve("region-0");
    }

    @Test
    void shouldCopyBetweenBuffersAndTheDatanodesMemory() throws Exception {
        awaitMapped();
        assertThat(regions.isInUse()).isTrue();
        ByteBuffer written = bytes(100, 5).position(10).limit(60);
        assertThat(regions.transfer(true, block(2, 1), 4000, written)).isTrue();
        assertThat(written.position()).isEqualTo(10);
        assertThat(content(region.slice(2L * BLOCK + 3999, 52)))
                .startsWith(0, 5)
                .endsWith(5, 0);

        ByteBuffer read = bytes(100, 1).position(20).limit(70);
        assertThat(regions.transfer(false, block(2, 1), 4000, read)).isTrue();
        ByteBuffer expected = bytes(100, 1).position(20).put(bytes(50, 5)).clear();
        assertThat(content(read.clear())).isEqualTo(content(expected));
    }

    @Test
    void shouldUseHeapMemoryToo() throws Exception {
        awaitMapped();
        assertThat(regions.transfer(true, block(1, 1), 0, ByteBuffer.wrap(new byte[] {1, 2, 3})))
                .isTrue();
        ByteBuffer read = ByteBuffer.allocate(3);
        assertThat(regions.transfer(false, block(1, 1), 0, read)).isTrue();
        assertThat(read.array()).containsExactly(1, 2, 3);
    }

    @Test
    void shouldRefuseFormerOwnersOfABlock() throws Exception {
        awaitMapped();
        assertThat(fence.admit(1, 8)).isTrue();
        assertThatThrownBy(() -> regions.transfer(true, block(1, 7), 0, bytes(8, 7)))
                .isInstanceOf(StaleBlockException.class);
        assertThatThrownBy(() -> regions.transfer(false, block(1, 7), 0, bytes(8, 7)))
                .isInstanceOf(StaleBlockException.class);
        assertThat(content(region.slice(BLOCK, 8))).containsOnly(0);
    }

    @Test
    void shouldKeepFormerOwnersOutOfTheDatanodesSockets() throws Exception {
        awaitMapped();
        assertThat(fence.admit(1, 7)).isTrue();
        assertThat(regions.transfer(true, block(1, 8), 0, bytes(8, 8))).isTrue();
        assertThat(fence.admit(1, 7)).isFalse();
        assertThat(fence.enter(1, 7)).isFalse();
    }

    @Test
    void shouldLeaveAWriteToTheSocketWhileAnotherOneReceivesBytesOfTheBlock() throws Exception {
        awaitMapped();
        fence.admit(1, 7);
        fence.enter(1, 7);
        assertThat(regions.transfer(true, block(1, 8), 0, bytes(8, 8))).isFalse();
        assertThat(regions.transfer(false, block(1, 8), 0, bytes(8, 8))).isTrue();
        fence.leave(1, 7);
        assertThat(regions.transfer(true, block(1, 8), 0, bytes(8, 8))).isTrue();
    }

    /** Different values may share a block, and do so in one epoch. */
    @Test
    void shouldWriteBesideASocketThatReceivesBytesOfTheSameEpoch() throws Exception {
        awaitMapped();
        fence.admit(1, 7);
        fence.enter(1, 7);
        assertThat(regions.transfer(true, block(1, 7), 0, bytes(8, 7))).isTrue();
        fence.leave(1, 7);
    }

    @Test
    void shouldNeverReturnBytesOfALaterOwner() throws Exception {
        awaitMapped();
        AtomicBoolean done = new AtomicBoolean();
        FutureTask<Void> owner = new FutureTask<>(() -> {
            for (int epoch = 1; !done.get(); epoch++) {
                regions.transfer(true, block(0, epoch), 0, bytes(BLOCK, epoch));
            }
            return null;
        });
        new Thread(owner).start();
        int counted = 0;
        int refused = 0;
        try {
            while (fence.seen(0) == 0) {
                Thread.onSpinWait();
            }
            ByteBuffer read = bytes(BLOCK, 0);
            while (!owner.isDone() && (counted + refused < 20_000 || counted == 0 || refused == 0)) {
                long epoch = fence.seen(0);
                if (isRead(epoch, read)) {
                    // the present owner may be in the middle of its write, over what the one before left
                    assertThat(isOnly(read, (byte) epoch, (byte) (epoch - 1))).isTrue();
                    counted++;
                } else {
                    refused++;
                }
            }
        } finally {
            done.set(true);
        }
        owner.get();
        assertThat(counted).isPositive();
        assertThat(refused).isPositive();
    }

    private boolean isRead(long epoch, ByteBuffer buffer) throws CrailException {
        try {
            assertThat(regions.transfer(false, block(0, epoch), 0, buffer)).isTrue();
            return true;
        } catch (StaleBlockException e) {
            return false; // somebody else's block by now
        }
    }

    private static boolean isOnly(ByteBuffer buffer, byte one, byte other) {
        for (byte found : content(buffer)) {
            if (found != one && found != other) {
                return false;
            }
        }
        return true;
    }

    @Test
    void shouldLetTheTierRefuseBlocksThatAreNotThere() throws Exception {
        awaitMapped();
        assertThat(regions.transfer(false, block(BLOCKS, 1), 0, bytes(8, 0))).isFalse();
    }

    @Test
    void shouldLeaveRegionsOfAnotherStartToTheSocket() throws Exception {
        awaitMapped();
        BlockInfo former = new BlockInfo(DATANODE, 0, 0, BLOCK, KEY - 1, 1);
        assertThat(regions.transfer(false, former, 0, bytes(8, 0))).isFalse();
    }

    @Test
    void shouldNotTakeTheFilesOfAnotherDatanode() throws Exception {
        LocalOffer other = new LocalOffer(directory.path(), UUID.randomUUID());
        assertThat(other.regions()).isEmpty();
        assertThatThrownBy(() -> LocalRegion.open(file(), other, KEY))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is not that of the datanode");
        assertThatThrownBy(() -> LocalRegion.open(file(), directory.offer(), KEY + 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is not that of region " + (KEY + 1));
    }

    private void mapAnother() throws IOException {
        MappedRegion next = directory.createRegion(BLOCKS * BLOCK, BLOCK);
        assertThat(directory.shareRegion(next, 0, new RegionName(KEY + 1, 0, 0, 0)))
                .isPresent();
        while (!regions.isMapped(new BlockInfo(DATANODE, 0, 0, BLOCK, KEY + 1, 1))) {
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldMapTheOtherRegionsAfterTheOneThatIsUsed() throws Exception {
        for (int i = 1; i < 4; i++) {
            MappedRegion next = directory.createRegion(BLOCKS * BLOCK, BLOCK);
            assertThat(directory.shareRegion(next, 0, new RegionName(KEY + i, 0, 0, 0)))
                    .isPresent();
        }
        long own = 4; // mappings of the datanode itself
        assertThat(mappings()).isEqualTo(own);
        regions.isMapped(block(0, 0)); // begins to map
        while (mappings() < 2 * own) {
            Thread.onSpinWait();
        }
    }

    /** How often files of regions are mapped into this process. */
    private long mappings() throws IOException {
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            return maps.filter(line ->
                            line.matches(".* " + Pattern.quote(directory.path().toString()) + "/region-\\d+"))
                    .count();
        }
    }

    @Test
    void shouldFindARegionThatIsMadeWhenOthersAreMapped() throws Exception {
        awaitMapped();
        MappedRegion next = directory.createRegion(BLOCKS * BLOCK, BLOCK);
        assertThat(directory.shareRegion(next, 0, new RegionName(KEY + 1, 0, 0, 0)))
                .isPresent();
        BlockInfo block = new BlockInfo(DATANODE, 0, 0, BLOCK, KEY + 1, 1);
        while (!regions.transfer(true, block, 0, bytes(8, 6))) {
            Thread.onSpinWait();
        }
        assertThat(content(next.slice(0, 8))).containsOnly(6);
    }

    @Test
    void shouldNotTakeAFileThatReplacedARegion() throws Exception {
        Path other = path.resolve("other");
        Files.copy(file(), other);
        Files.move(other, file(), StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(this::open).isInstanceOf(IOException.class).hasMessageContaining("another file");
    }

    @Test
    void shouldNotTakeARegionThatWasCutShort() throws Exception {
        cut(file(), BLOCK);
        assertThatThrownBy(this::open).isInstanceOf(IOException.class).hasMessageContaining("instead of");
        assertThat(Files.size(file())).isEqualTo(BLOCK);
    }

    @Test
    void shouldNotFollowALinkToAFence() throws Exception {
        Path own = FenceFile.beside(file());
        Path other = path.resolve("other");
        Files.move(own, other);
        Files.createSymbolicLink(own, other);
        assertThatThrownBy(this::open).isInstanceOf(IOException.class);
    }

    @Test
    void shouldNotTakeGarbageForAFence() throws Exception {
        for (int length : new int[] {0, 1, 64, 4096}) {
            Files.delete(FenceFile.beside(file()));
            Files.write(FenceFile.beside(file()), new byte[length]);
            assertThatThrownBy(this::open).isInstanceOf(IOException.class);
        }
    }

    /** The signal that the system sends then must end a transfer, and neither this process nor what it does next. */
    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void shouldFailATransferWhenTheFileIsCutShortUnderTheMapping(boolean isDirect, boolean isWrite) throws Exception {
        awaitMapped();
        ByteBuffer buffer = isDirect ? bytes(BLOCK, 1) : ByteBuffer.allocate(BLOCK);
        for (int i = 0; i < 20_000; i++) { // so that compiled code is tried
            regions.transfer(i % 2 == 0, block(1, 1), 0, buffer);
        }
        cut(file(), 0);
        assertThatThrownBy(() -> regions.transfer(isWrite, block(1, 1), 0, buffer))
                .isInstanceOf(DatanodeUnreachableException.class);
        assertThat(regions.transfer(isWrite, block(1, 1), 0, buffer))
                .as("whether a region is still used whose memory has gone")
                .isFalse();
    }

    @Test
    void shouldFailATransferWhenTheFenceIsCutShortUnderTheMapping() throws Exception {
        awaitMapped();
        ByteBuffer buffer = bytes(8, 1);
        for (int i = 0; i < 20_000; i++) { // so that compiled code is tried
            regions.transfer(i % 2 == 0, block(1, 1), 0, buffer);
        }
        cut(FenceFile.beside(file()), 0);
        assertThatThrownBy(() -> regions.transfer(true, block(1, 2), 0, buffer))
                .isInstanceOf(DatanodeUnreachableException.class);
        assertThat(regions.transfer(true, block(1, 2), 0, buffer)).isFalse();
    }

    /** Clients that still map the files of a killed datanode would keep its memory otherwise. */
    @Test
    void shouldGiveTheMemoryOfAKilledDatanodeBackAtOnce() throws Exception {
        awaitMapped();
        try (FileChannel held = FileChannel.open(file(), StandardOpenOption.READ)) {
            TestDirectories.removeRegions(directory.path());
            assertThat(held.size()).isZero();
        }
        assertThatThrownBy(() -> regions.transfer(false, block(1, 1), 0, bytes(8, 0)))
                .isInstanceOf(DatanodeUnreachableException.class);
        assertThat(directory.path()).isDirectoryNotContaining(file -> FenceFile.isFence(file));
    }

    @Test
    void shouldShareNothingThatIsOnADisk(@TempDir Path disk) throws Exception {
        assumeFalse(FileMemory.of(disk).isInMemory(), "the directory for temporary files is in memory");
        try (DataDirectory other = TestDirectories.claim(disk, "some-any-1")) {
            MappedRegion own = other.createRegion(BLOCKS * BLOCK, BLOCK);
            assertThat(other.shareRegion(own, 0, new RegionName(KEY, 0, 0, 0))).isEmpty();
            assertThat(other.path()).isDirectoryNotContaining(file -> FenceFile.isFence(file));
        }
    }

    @Test
    void shouldShareNothingWhereTheRegionsToComeNeedAllTheSpace() throws Exception {
        MappedRegion next = directory.createRegion(BLOCKS * BLOCK, BLOCK);
        assertThat(directory.shareRegion(next, Long.MAX_VALUE / 2, new RegionName(KEY + 1, 0, 0, 0)))
                .isEmpty();
        assertThat(FenceFile.beside(directory.path().resolve("region-1"))).doesNotExist();
    }

    /** Keys and addresses that a device gives are in no order. */
    @Test
    void shouldFindRegionsByKeyAndAddress() throws Exception {
        int[] keys = {5, -5, Integer.MAX_VALUE, Integer.MIN_VALUE};
        MappedRegion[] made = new MappedRegion[keys.length];
        for (int i = 0; i < keys.length; i++) {
            RegionName name = new RegionName(keys[i], address(i), 0, 0);
            made[i] = directory.createRegion(BLOCKS * BLOCK, BLOCK);
            assertThat(directory.shareRegion(made[i], 0, name)).isPresent();
        }
        for (int i = 0; i < keys.length; i++) {
            BlockInfo block = new BlockInfo(DATANODE, 0, address(i) + 2 * BLOCK, BLOCK, keys[i], 1);
            while (!regions.transfer(true, block, 7, bytes(8, i + 1))) {
                Thread.onSpinWait();
            }
            assertThat(content(made[i].slice(2 * BLOCK + 7, 8))).containsOnly(i + 1);
            BlockInfo before = new BlockInfo(DATANODE, 0, address(i) - BLOCK, BLOCK, keys[i], 1);
            assertThat(regions.transfer(false, before, 0, bytes(8, 0))).isFalse();
        }
        awaitMapped();
    }

    private static long address(int region) {
        return (1L << 46) + region * 7L * BLOCK;
    }

    /** The next datanode may have the same files, if they are kept. */
    @Test
    void shouldNotUseTheFenceOfADatanodeThatWasKilledWhenTheNextOneHasTheFiles() throws Exception {
        awaitMapped();
        TestDirectories.retireFences(directory.path());
        assertThat(regions.transfer(true, block(1, 1), 0, bytes(8, 8))).isFalse();
        assertThat(FenceFile.beside(file())).doesNotExist();
        assertThat(file()).exists();
        TestDirectories.retireFences(directory.path());
    }

    /** A client that uses a few bytes of a large datanode does not map all of them. */
    @Test
    void shouldMapAllPagesInADatanodeAndThoseThatAreUsedInAClient() throws Exception {
        try (DataDirectory other = TestDirectories.claim(path, "some-any-2")) {
            MappedRegion memory = other.createRegion(LONG, LONG);
            assertThat(other.shareRegion(memory, 0, new RegionName(KEY, 0, 0, 0)))
                    .isPresent();
            LocalRegions clients = new LocalRegions(other.offer());
            BlockInfo block = new BlockInfo(DATANODE, 0, 0, LONG, KEY, 1);
            while (!clients.transfer(true, block, 0, bytes(1, 8))) {
                Thread.onSpinWait();
            }
            assertThat(residentBytes(memory.path()))
                    .as("bytes of each mapping that have pages")
                    .hasSize(2)
                    .contains((long) LONG)
                    .anySatisfy(used -> assertThat(used).isBetween(1L, LONG / 2L));
        }
    }

    /** Of each mapping of a file in this process. */
    private static List<Long> residentBytes(Path file) throws IOException {
        List<Long> resident = new ArrayList<>();
        boolean isOfFile = false;
        for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
            if (MAPPING.matcher(line).lookingAt()) {
                isOfFile = line.endsWith(" " + file.toRealPath());
            } else if (isOfFile && line.startsWith("Rss:")) {
                resident.add(1024 * Long.parseLong(line.replaceAll("\\D", "")));
            }
        }
        return resident;
    }

    @Test
    void shouldNotTouchTheMemoryOfADatanodeThatHasStopped() throws Exception {
        awaitMapped();
        directory.close();
        assertThat(regions.transfer(true, block(1, 1), 0, bytes(8, 8))).isFalse();
        assertThat(regions.transfer(false, block(1, 1), 0, bytes(8, 8))).isFalse();
    }

    /** Its memory may go from then on. Where the copy begins is not known; it is made anew if it was too quick. */
    @Test
    void shouldNotCountATransferDuringWhichTheDatanodeStops() throws Exception {
        ByteBuffer written = bytes(LONG, 8);
        boolean wasCopying;
        do {
            try (DataDirectory other = TestDirectories.claim(path, "some-any-2")) {
                MappedRegion memory = other.createRegion(LONG, LONG);
                assertThat(other.shareRegion(memory, 0, new RegionName(KEY, 0, 0, 0)))
                        .isPresent();
                FenceFile its = FenceFile.open(other.path().resolve("region-0"), other.offer());
                LocalRegions clients = new LocalRegions(other.offer());
                BlockInfo block = new BlockInfo(DATANODE, 0, 0, LONG, KEY, 1);
                while (!clients.isMapped(block)) {
                    Thread.onSpinWait();
                }
                FutureTask<Boolean> write = new FutureTask<>(() -> clients.transfer(true, block, 0, written));
                Thread writer = new Thread(write);
                writer.start();
                while (first(memory) == 0 && last(memory) == 0) {
                    Thread.onSpinWait();
                }
                its.stop();
                wasCopying = first(memory) == 0 || last(memory) == 0;
                writer.join();
                if (wasCopying) {
                    assertThatThrownBy(write::get)
                            .cause()
                            .isInstanceOf(DatanodeUnreachableException.class)
                            .hasNoCause();
                    assertThat(clients.transfer(true, block, 0, written)).isFalse();
                }
            }
        } while (!wasCopying);
    }

    private static byte first(MappedRegion region) {
        return region.slice(0, 1).get(0);
    }

    private static byte last(MappedRegion region) {
        return region.slice(region.length() - 1, 1).get(0);
    }

    @Test
    void shouldLeaveNoFileBehind() {
        directory.close();
        assertThat(path).isDirectoryNotContaining(child -> Files.isDirectory(child));
    }

    /** Where regions can be shared. */
    static final class InMemory implements TempDirFactory {
        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test) throws IOException {
            return Files.createTempDirectory(Path.of("/dev/shm").toRealPath(), "crail-test");
        }
    }

    private static void cut(Path file, long length) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(length);
        }
    }
}
