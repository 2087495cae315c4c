/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.apache.crail.storage.file.DataDirectory;
import org.apache.crail.storage.file.TestDirectories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalClaimTest {
    private static final int BLOCK = 4096;
    private static final int TOKEN = Long.BYTES;
    private static final long PROOF_ADDRESS = 1L << 46;
    private static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 50020);
    private static final String NAME = "some-127.0.0.1-50020";

    @TempDir(factory = LocalRegionsTest.InMemory.class)
    private Path path;

    private DataDirectory directory;

    @AfterEach
    void stopDatanode() {
        if (directory != null) {
            directory.close();
        }
    }

    private void share(String name, int proofKey) throws Exception {
        directory = TestDirectories.claim(path, name);
        for (int i = 0; i < 2; i++) {
            RegionName region = new RegionName(7 + i, 0, PROOF_ADDRESS, proofKey);
            directory.shareRegion(directory.createRegion(BLOCK, BLOCK), 0, region);
        }
    }

    private List<LocalClaim> find() {
        return LocalClaim.find(path, TestDirectories.KEYS.directoryName(ADDRESS), ADDRESS);
    }

    @Test
    void shouldFindTheDirectoryOfADatanodeAndItsProof() throws Exception {
        share(NAME, 99);
        List<LocalClaim> found = find();
        assertThat(found).hasSize(1);
        LocalClaim claim = found.get(0);
        assertThat(claim.offer()).isEqualTo(directory.offer());
        assertThat(claim.key()).isEqualTo(99);
        assertThat(claim.address()).isEqualTo(PROOF_ADDRESS);
        byte[] proof = directory.offer().proof();
        assertThat(proof).hasSize(LocalOffer.PROOF_BYTES);
        assertThat(claim.isProvedBy(ByteBuffer.wrap(proof))).isTrue();
        proof[0] ^= 1;
        assertThat(claim.isProvedBy(ByteBuffer.wrap(proof))).isFalse();
        assertThat(claim.isProvedBy(ByteBuffer.allocate(LocalOffer.PROOF_BYTES)))
                .isFalse();
    }

    @Test
    void shouldFindADirectoryThatIsOneOfSeveralForAnAddress() throws Exception {
        Files.createDirectory(path.resolve(NAME));
        share(NAME, 1);
        assertThat(directory.path().getFileName()).hasToString(NAME + "-1");
        assertThat(find()).extracting(LocalClaim::offer).containsExactly(directory.offer());
    }

    /** Who can put a directory there could name any bytes of a block as its proof. */
    @Test
    void shouldFindNothingThatAnotherUserMayHavePutThere() throws Exception {
        share(NAME, 99);
        Path link = Files.createSymbolicLink(path.resolve(NAME + "-1"), directory.path());
        assertThat(find())
                .as("not through the link")
                .extracting(LocalClaim::offer)
                .containsExactly(directory.offer());
        Files.delete(link);
        for (Path shared : List.of(path, directory.path())) {
            Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
            assertThat(find()).as(shared.toString()).isEmpty();
            Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwx------"));
        }
        Path fence = directory.path().resolve("region-0.fence");
        Files.setPosixFilePermissions(fence, PosixFilePermissions.fromString("rw-rw-rw-"));
        Files.delete(directory.path().resolve("region-1.fence"));
        assertThat(find()).isEmpty();
    }

    @Test
    void shouldFindNothingOfOthers() throws Exception {
        share(NAME + "1", 1);
        assertThat(find()).as("another port").isEmpty();
        assertThat(LocalClaim.find(path.resolve("missing"), NAME, ADDRESS)).isEmpty();
        InetAddress elsewhere = InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1});
        Files.move(directory.path(), path.resolve("some-192.0.2.1-50020"));
        InetSocketAddress other = new InetSocketAddress(elsewhere, 50020);
        assertThat(LocalClaim.find(path, TestDirectories.KEYS.directoryName(other), other))
                .as("another host")
                .isEmpty();
        Files.move(path.resolve("some-192.0.2.1-50020"), directory.path());
    }

    @Test
    void shouldFindNothingThatCannotBeProved() throws Exception {
        share(NAME, 0);
        assertThat(find()).isEmpty();
    }

    @Test
    void shouldFindNothingOfADatanodeThatHasStopped() throws Exception {
        share(NAME, 1);
        Path fence = directory.path().resolve("region-0.fence");
        Files.createLink(path.resolve("kept"), fence);
        TestDirectories.retireFences(directory.path());
        Files.move(path.resolve("kept"), fence);
        assertThat(find()).isEmpty();
    }

    /** One of them may be left from a datanode that was killed. */
    @Test
    void shouldFindAllTokensOfADirectory() throws Exception {
        share(NAME, 1);
        Path fence = directory.path().resolve("region-0.fence");
        byte[] bytes = Files.readAllBytes(fence);
        bytes[TOKEN] ^= 1;
        Files.write(fence, bytes);
        assertThat(find()).hasSize(2).extracting(LocalClaim::offer).contains(directory.offer());
    }

    /** The directories of other users, for example. */
    @Test
    void shouldLookFurtherWhenADirectoryCannotBeListed() throws Exception {
        Path unreadable = Files.createDirectory(path.resolve(NAME));
        share(NAME, 1);
        Files.setPosixFilePermissions(unreadable, PosixFilePermissions.fromString("-wx------"));
        assumeFalse(Files.isReadable(unreadable), "this user may read everything");
        assertThat(find()).extracting(LocalClaim::offer).containsExactly(directory.offer());
    }

    @Test
    void shouldTakeNoGarbageForAFence() throws Exception {
        Path own = Files.createDirectory(path.resolve(NAME));
        for (int length : new int[] {0, 8, 96, 4096}) {
            Files.write(own.resolve("region-0.fence"), new byte[length]);
            assertThat(find()).isEmpty();
        }
    }
}
