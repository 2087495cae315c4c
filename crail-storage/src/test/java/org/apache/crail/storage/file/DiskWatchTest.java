/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.crail.internal.FilePages;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskWatchTest {
    private static final int BYTES = 8192;

    @TempDir
    private Path directory;

    private final DiskHealth disk = new DiskHealth();
    private final DiskWatch watch = new DiskWatch("test-disk-watch", disk);

    private DiskRegion region(String name) throws IOException {
        Path path = directory.resolve(name);
        FileChannel file =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        FilePages.fill(file, BYTES);
        DiskRegion region = new DiskRegion(path, file, BYTES, BYTES, disk);
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
    void shouldFindThatARegionCannotBeWrittenBack() throws IOException {
        DiskRegion good = region("good");
        DiskRegion bad = region("bad");
        bad.close();
        assertThat(watch.isHealthy()).isTrue();
        watch.look();
        assertThat(watch.isHealthy()).isFalse();
        assertThat(bad.hasFailed()).isTrue();
        assertThat(good.hasFailed()).as("it is on the same disk").isTrue();
        good.close();
    }

    /** The system's device for that has no room for anything. */
    @Test
    void shouldFailWithTheFirstWriteThatIsRefused() throws IOException {
        Path path = Path.of("/dev/full");
        try (FileChannel full = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            DiskRegion region = new DiskRegion(path, full, BYTES, BYTES, disk);
            watch.add(region);
            assertThatThrownBy(() -> region.write(0, ByteBuffer.allocate(100)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("No space left");
            assertThat(watch.isHealthy()).isFalse();
        }
    }

    /** Who writes then writes to a closed file. */
    @Test
    void shouldNotTakeItsEndForAFailure() throws IOException {
        DiskRegion region = region("good");
        watch.close();
        assertThatThrownBy(() -> region.write(0, ByteBuffer.allocate(100))).isInstanceOf(ClosedChannelException.class);
        watch.look();
        assertThat(region.hasFailed()).isFalse();
        assertThat(watch.isHealthy()).isTrue();
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
