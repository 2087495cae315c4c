/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.crail.internal.BufferAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalClaimTest {
    private static final int BLOCK = 4096;
    private static final int TOKEN = Long.BYTES;
    private static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 50020);
    private static final String NAME = "some-127.0.0.1-50020";

    @TempDir(factory = LocalRegionsTest.InMemory.class)
    private Path path;

    private DataDirectory directory;
    private final List<ByteBuffer> heads = new ArrayList<>();

    @AfterEach
    void stopDatanode() {
        if (directory != null) {
            directory.close();
        }
    }

    private void share(String name, int proofKey) throws Exception {
        directory = new DataPath(path, DataPathTest.KEYS).claim(name);
        for (int i = 0; i < 2; i++) {
            directory.shareRegion(directory.createRegion(BLOCK, BLOCK), 0, memory -> {
                heads.add(memory);
                return new RegionName(7, 0, proofKey);
            });
        }
    }

    private List<LocalClaim> find() {
        return LocalClaim.find(path, DataPathTest.KEYS, ADDRESS);
    }

    @Test
    void shouldFindTheDirectoryOfADatanodeAndItsProof() throws Exception {
        share(NAME, 99);
        List<LocalClaim> found = find();
        assertThat(found).hasSize(1);
        LocalClaim claim = found.get(0);
        assertThat(claim.offer()).isEqualTo(directory.offer());
        assertThat(claim.key()).isEqualTo(99);
        ByteBuffer head = heads.stream()
                .filter(each -> BufferAddress.of(each) + TOKEN == claim.address())
                .findFirst()
                .orElseThrow();
        assertThat(claim.isProvedBy(head.slice(TOKEN, LocalClaim.PROOF_BYTES))).isTrue();
        assertThat(claim.isProvedBy(head.slice(0, LocalClaim.PROOF_BYTES))).isFalse();
        assertThat(claim.isProvedBy(ByteBuffer.allocate(LocalClaim.PROOF_BYTES)))
                .isFalse();
    }

    @Test
    void shouldFindADirectoryThatIsOneOfSeveralForAnAddress() throws Exception {
        Files.createDirectory(path.resolve(NAME));
        share(NAME, 1);
        assertThat(directory.path().getFileName()).hasToString(NAME + "-1");
        assertThat(find()).extracting(LocalClaim::offer).containsExactly(directory.offer());
    }

    @Test
    void shouldFindNothingOfOthers() throws Exception {
        share(NAME + "1", 1);
        assertThat(find()).as("another port").isEmpty();
        assertThat(LocalClaim.find(path.resolve("missing"), DataPathTest.KEYS, ADDRESS))
                .isEmpty();
        InetAddress elsewhere = InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1});
        Files.move(directory.path(), path.resolve("some-192.0.2.1-50020"));
        assertThat(LocalClaim.find(path, DataPathTest.KEYS, new InetSocketAddress(elsewhere, 50020)))
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
        Path first = directory.path().resolve("region-0");
        Path second = directory.path().resolve("region-1");
        Files.createLink(path.resolve("kept"), FenceFile.beside(first));
        FenceFile.retire(first);
        FenceFile.retire(second);
        Files.move(path.resolve("kept"), FenceFile.beside(first));
        assertThat(find()).isEmpty();
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
