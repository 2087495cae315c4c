/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.crail.local.block.FileMemory;
import org.apache.crail.local.block.MappedRegion;
import org.apache.crail.local.block.RegionName;
import org.junit.jupiter.api.Test;

class HugePagesTest {
    private static final int BLOCK = 4096;
    private static final int HUGE_PAGE = 2 << 20;
    private static final FileMemory HUGE = new FileMemory(HUGE_PAGE, true);

    @Test
    void shouldKeepARegionOnHugePages() throws Exception {
        Path mount = usableHugePages();
        Path path = Files.createTempDirectory(mount, "crail-test");
        try (DataDirectory own = new DataPath(path, DataPathTest.KEYS).claim("some-any-1")) {
            own.requireRoom(3 * BLOCK);
            MappedRegion region = own.createRegion(3 * BLOCK, BLOCK);
            assertThat(own.shareRegion(region, 0, new RegionName(1, 0, 0, 0))).isEmpty();
            region.slice(2 * BLOCK, BLOCK).putLong(BLOCK - 8, 4711);
            assertThat(region.slice(3 * BLOCK - 8, 8).getLong()).isEqualTo(4711);
            assertThat(Files.size(own.path().resolve("region-0"))).isEqualTo(HUGE_PAGE);
        } finally {
            try (var left = Files.list(path)) {
                left.filter(Files::isRegularFile).forEach(file -> file.toFile().delete());
            }
            Files.delete(path);
        }
    }

    private static Path usableHugePages() throws IOException {
        Path free = Path.of("/sys/kernel/mm/hugepages/hugepages-" + HUGE_PAGE / 1024 + "kB/free_hugepages");
        assumeTrue(Files.isReadable(free), "this system has no huge pages of 2 MiB");
        assumeTrue(!Files.readString(free).strip().equals("0"), "no huge page is free; see /proc/sys/vm/nr_hugepages");
        Optional<Path> mount = Files.readAllLines(Path.of("/proc/mounts")).stream()
                .map(line -> line.split(" "))
                .filter(fields -> fields[2].equals("hugetlbfs"))
                .map(fields -> Path.of(fields[1]))
                .filter(path -> Files.isWritable(path) && isOfHugePages(path))
                .findFirst();
        assumeTrue(mount.isPresent(), "no file system of huge pages is mounted where this user may write");
        return mount.get();
    }

    private static boolean isOfHugePages(Path path) {
        try {
            return FileMemory.of(path).equals(HUGE);
        } catch (IOException e) {
            return false;
        }
    }
}
