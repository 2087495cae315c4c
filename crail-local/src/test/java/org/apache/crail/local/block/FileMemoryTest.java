/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.local.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileMemoryTest {
    private static final int BLOCK = 4096;
    private static final int HUGE_PAGE = 2 << 20;
    private static final long GIB = 1L << 30;
    private static final FileMemory HUGE = new FileMemory(HUGE_PAGE, true);

    @TempDir
    private Path directory;

    private FileChannel newFile() throws IOException {
        return FileChannel.open(
                directory.resolve("region-0"),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
    }

    @Test
    void shouldRoundLengthsUpToWholeHugePages() {
        assertThat(HUGE.isHugePages()).isTrue();
        assertThat(HUGE.canBeShared()).isFalse();
        assertThat(HUGE.roundedUp(1)).isEqualTo(HUGE_PAGE);
        assertThat(HUGE.roundedUp(HUGE_PAGE)).isEqualTo(HUGE_PAGE);
        assertThat(HUGE.roundedUp(HUGE_PAGE + 1)).isEqualTo(2 * HUGE_PAGE);
        assertThat(HUGE.roundedUp(5 * GIB - 1)).isEqualTo(5 * GIB);
    }

    @Test
    void shouldLeaveLengthsAsTheyAreOnOtherMemory() {
        FileMemory tmpfs = new FileMemory(1, true);
        assertThat(tmpfs.isHugePages()).isFalse();
        assertThat(tmpfs.canBeShared()).isTrue();
        assertThat(tmpfs.roundedUp(5 * GIB + 1)).isEqualTo(5 * GIB + 1);
        assertThat(new FileMemory(1, false).canBeShared()).isFalse();
    }

    @Test
    void shouldShowTheBlocksOnlyOfAMappingThatWasRoundedUp() throws Exception {
        try (FileChannel file = newFile()) {
            MappedRegion region = MappedRegion.map(directory, file, 3 * BLOCK, BLOCK, HUGE);
            assertThat(file.size()).isEqualTo(HUGE_PAGE);
            assertThat(region.length()).isEqualTo(3 * BLOCK);
            assertThat(region.segment(0).capacity()).isEqualTo(3 * BLOCK);
            assertThat(region.hasBlock(3 * BLOCK, BLOCK)).isFalse();
        }
    }

    @Test
    void shouldSayThatBlocksDoNotFitHugePages() throws Exception {
        long blockBytes = 3L << 20;
        try (FileChannel file = newFile()) {
            FileMemory untouched = new FileMemory(HUGE_PAGE, false);
            assertThatThrownBy(() -> MappedRegion.map(directory, file, 400 * blockBytes, blockBytes, untouched))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("blocks of " + blockBytes)
                    .hasMessageContaining("pages of " + HUGE_PAGE)
                    .hasMessageContaining("lower the allocation size");
        }
    }

    /** D27: the last byte of each mapping and the first of the next, beyond what an int can tell. */
    @Test
    void shouldReachEveryBlockOfARegionBeyondFourGib() throws Exception {
        int blockBytes = 1 << 20;
        long length = 5 * GIB;
        List<Long> offsets =
                List.of(0L, 2 * GIB - blockBytes, 2 * GIB, 4 * GIB - blockBytes, 4 * GIB, length - blockBytes);
        try (FileChannel file = FileChannel.open(
                directory.resolve("region-0"),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.SPARSE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            MappedRegion region = MappedRegion.map(directory, file, length, blockBytes, new FileMemory(1, false));
            assertThat(region.blocks()).isEqualTo(5 * 1024);
            for (long offset : offsets) {
                assertThat(region.hasBlock(offset, blockBytes)).isTrue();
                region.slice(offset, blockBytes).putLong(0, offset + 1).putLong(blockBytes - 8, offset + 2);
            }
            for (long offset : offsets) {
                assertThat(bytesOf(file, offset)).isEqualTo(offset + 1);
                assertThat(bytesOf(file, offset + blockBytes - 8)).isEqualTo(offset + 2);
                assertThat(region.slice(offset, 8).getLong()).isEqualTo(offset + 1);
            }
            assertThat(region.hasBlock(length, blockBytes)).isFalse();
        }
    }

    private static long bytesOf(FileChannel file, long position) throws IOException {
        ByteBuffer found = ByteBuffer.allocate(8);
        file.read(found, position);
        return found.getLong(0);
    }
}
