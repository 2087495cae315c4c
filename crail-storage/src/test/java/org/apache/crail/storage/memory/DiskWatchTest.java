/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskWatchTest {
    private static final int BYTES = 8192;

    @TempDir
    private Path directory;

    private final DiskWatch watch = new DiskWatch("test-disk-watch");

    private DiskRegion region(String name) throws IOException {
        FileChannel file = FileChannel.open(
                directory.resolve(name), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        DataDirectory.fill(file, BYTES);
        DiskRegion region = new DiskRegion(file, BYTES, BYTES);
        watch.add(region);
        return region;
    }

    @AfterEach
    void closeWatch() {
        watch.close();
    }

    @Test
    void shouldFindNothingWhereEverythingIsWrittenBack() throws IOException {
        DiskRegion region = region("good");
        region.write(100, ByteBuffer.allocate(1000));
        watch.look();
        assertThat(region.hasFailed()).isFalse();
        assertThat(watch.isHealthy()).isTrue();
        region.close();
    }

    /** Nobody writes any more, so nobody else would find out. */
    @Test
    void shouldFindTheRegionThatCannotBeWrittenBack() throws IOException {
        DiskRegion good = region("good");
        DiskRegion bad = region("bad");
        bad.close();
        assertThat(watch.isHealthy()).isTrue();
        watch.look();
        assertThat(watch.isHealthy()).isFalse();
        assertThat(bad.hasFailed()).isTrue();
        assertThat(good.hasFailed()).isFalse();
        good.close();
    }

    /** The system's device for that has no room for anything. */
    @Test
    void shouldFailWithTheFirstWriteThatIsRefused() throws IOException {
        try (FileChannel full =
                FileChannel.open(Path.of("/dev/full"), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            DiskRegion region = new DiskRegion(full, BYTES, BYTES);
            watch.add(region);
            assertThatThrownBy(() -> region.write(0, ByteBuffer.allocate(100)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("No space left");
            assertThat(watch.isHealthy()).isFalse();
        }
    }

    /** What is written may be right all the same. */
    @Test
    void shouldNotFailWithAReadThatIsRefused() throws IOException {
        DiskRegion region = region("cut");
        try (FileChannel other = FileChannel.open(directory.resolve("cut"), StandardOpenOption.WRITE)) {
            other.truncate(BYTES / 2);
        }
        assertThatThrownBy(() -> region.read(BYTES / 2 - 10, ByteBuffer.allocate(100)))
                .isInstanceOf(EOFException.class)
                .hasMessageContaining("ends at " + BYTES / 2);
        assertThat(region.hasFailed()).isFalse();
        region.close();
    }
}
