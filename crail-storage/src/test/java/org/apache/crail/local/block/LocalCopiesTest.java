/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.apache.crail.storage.file.DataDirectory;
import org.apache.crail.storage.file.TestDirectories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Copies of a datanode's files, with its token. A client whose path leads to them must not use them, however many
 * numbers of the system are the same there by chance.
 */
class LocalCopiesTest {
    private static final int BLOCK = 4096;
    private static final int KEY = 7_000;
    private static final String REGION = "region-0";
    private static final String FENCE = "region-0.fence";

    /** Words of the head of a fence file. */
    private static final int INODE = 3;

    private static final int DEVICE = 11;
    private static final int OWN_INODE = 12;

    @TempDir(factory = LocalRegionsTest.InMemory.class)
    private Path path;

    private DataDirectory directory;

    @BeforeEach
    void startDatanode() throws Exception {
        directory = TestDirectories.claim(path, "some-any-1");
        share(KEY);
    }

    @AfterEach
    void stopDatanode() {
        directory.close();
    }

    private void share(int key) throws IOException {
        RegionName name = new RegionName(key, 0, 0, 0);
        assertThat(directory.shareRegion(directory.createRegion(BLOCK, BLOCK), 0, name))
                .isPresent();
    }

    /** Copies the files, and lets the copied fence tell the inodes of the copies. */
    private Path copyWithSameInodes(Path to) throws IOException {
        Files.createDirectories(to);
        Path region = Files.copy(directory.path().resolve(REGION), to.resolve(REGION));
        Path fence = Files.copy(directory.path().resolve(FENCE), to.resolve(FENCE));
        put(fence, INODE, FileIdentity.of(region).inode());
        put(fence, OWN_INODE, FileIdentity.of(fence).inode());
        return region;
    }

    private static void put(Path fence, int word, long value) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        try (FileChannel file = FileChannel.open(fence, StandardOpenOption.WRITE)) {
            file.write(bytes.putLong(value).flip(), word * (long) Long.BYTES);
        }
    }

    private static LocalRegion open(Path region, LocalOffer offer) throws IOException {
        return LocalRegion.open(region, offer, KEY);
    }

    private Path original() {
        return directory.path().resolve(REGION);
    }

    private static void requireRefused(Path region, LocalOffer offer, String why) {
        assertThatThrownBy(() -> open(region, offer))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(why);
    }

    @Test
    void shouldNotTakeACopyInAnotherFileSystemWhoseInodesAreTheSame(@TempDir Path elsewhere) throws Exception {
        assumeFalse(
                FileIdentity.of(elsewhere).device()
                        == FileIdentity.of(original()).device(),
                "the directory for temporary files is in the file system of the regions");
        requireRefused(copyWithSameInodes(elsewhere), directory.offer(), "another file");
    }

    /** On another machine, behind the same address, the device may have the same number as well. */
    @Test
    void shouldNotTakeACopyThatIsOlderThanTheConnection() throws Exception {
        LocalOffer before = directory.stampedOffer();
        Path copy = copyWithSameInodes(path.resolve("copy"));
        put(copy.resolveSibling(FENCE), DEVICE, FileIdentity.of(copy).device());
        assertThat(open(copy, before)).as("nothing but the stamp tells").isNotNull();

        LocalOffer after = directory.stampedOffer();
        requireRefused(copy, after, "a copy that was made before");
        assertThat(open(original(), after)).isNotNull();
    }

    /** It would not see which blocks have been given to others. */
    @Test
    void shouldNotTakeACopiedFenceBesideTheRegion() throws Exception {
        Path fence = directory.path().resolve(FENCE);
        Path copy = Files.copy(fence, path.resolve("copy"));
        Files.move(copy, fence, StandardCopyOption.REPLACE_EXISTING);
        requireRefused(original(), directory.offer(), "another file");
    }

    @Test
    void shouldNotTakeACopiedRegionBesideTheFence() throws Exception {
        Path copy = Files.copy(original(), path.resolve("copy"));
        Files.move(copy, original(), StandardCopyOption.REPLACE_EXISTING);
        requireRefused(original(), directory.stampedOffer(), "another file");
    }

    @Test
    void shouldTakeTheRegionsThatWereMadeBeforeAnOfferAndAfterIt() throws Exception {
        directory.stampedOffer();
        LocalOffer offer = directory.stampedOffer();
        share(KEY + 1);
        Path next = directory.path().resolve("region-1");
        assertThat(open(original(), offer)).isNotNull();
        assertThat(LocalRegion.open(next, offer, KEY + 1)).isNotNull();
        directory.stampedOffer();
        assertThat(open(original(), offer)).as("with an earlier offer").isNotNull();
    }

    @Test
    void shouldKeepWhatIsMappedForALaterConnectionToTheSameDatanode() throws Exception {
        LocalRegions regions = new LocalRegions(directory.stampedOffer());
        assertThat(regions.renew(directory.stampedOffer())).isTrue();
        try (DataDirectory next = TestDirectories.claim(path, "some-any-1")) {
            assertThat(regions.renew(next.stampedOffer())).isFalse();
        }
    }

    @Test
    void shouldHoldRegionsThatAreMappedAfterAReconnectToTheLaterStamp() throws Exception {
        LocalOffer first = directory.stampedOffer();
        Path copy = copyWithSameInodes(path.resolve("copy"));
        put(copy.resolveSibling(FENCE), DEVICE, FileIdentity.of(copy).device());
        LocalRegions regions = new LocalRegions(offerOf(copy.getParent(), first));
        assertThat(regions.map(KEY)).as("nothing but the stamp tells").isNotNull();

        assertThat(regions.renew(offerOf(copy.getParent(), directory.stampedOffer())))
                .isTrue();
        assertThatThrownBy(() -> regions.map(KEY))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a copy that was made before");
    }

    /** What a datanode offers, as a client takes it whose path leads to other files. */
    private static LocalOffer offerOf(Path files, LocalOffer offered) {
        return new LocalOffer(files, offered.token(), offered.stamp());
    }

    /** The signal that the system sends then must not end who welcomes a client. */
    @Test
    void shouldStampTheOthersWhenAFenceWasCutShort() throws Exception {
        share(KEY + 1);
        try (FileChannel fence = FileChannel.open(directory.path().resolve(FENCE), StandardOpenOption.WRITE)) {
            fence.truncate(0);
        }
        LocalOffer offer = directory.stampedOffer();
        assertThat(LocalRegion.open(directory.path().resolve("region-1"), offer, KEY + 1))
                .isNotNull();
    }
}
