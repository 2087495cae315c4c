/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.metadata.Region;
import org.apache.crail.netty.TcpTierKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegionAllocationTest {
    @TempDir
    private Path directory;

    private TierFixture fixture;

    private TierFixture at(Path dataPath) {
        fixture = new TierFixture(dataPath, true);
        return fixture;
    }

    @AfterEach
    void closeFixture() {
        if (fixture != null) {
            fixture.close();
        }
    }

    private static List<String> names(Path path) throws Exception {
        try (Stream<Path> children = Files.list(path)) {
            return children.map(child -> child.getFileName().toString())
                    .filter(name -> !name.startsWith("."))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void shouldAllocateWhatItOffersAndRemoveItWhenItStops() throws Exception {
        at(directory.resolve("data"));
        fixture.conf.set(TcpTierKeys.STORAGE_LIMIT, 2L * TierFixture.REGION + 3L * TierFixture.BLOCK);
        fixture.start();
        List<Region> regions = new ArrayList<>(List.of(fixture.region));
        Optional<Region> next = fixture.server.allocateRegion();
        while (next.isPresent()) {
            regions.add(next.get());
            next = fixture.server.allocateRegion();
        }
        assertThat(regions)
                .extracting(Region::length)
                .containsExactly((long) TierFixture.REGION, (long) TierFixture.REGION, 3L * TierFixture.BLOCK);
        assertThat(regions)
                .extracting(Region::lba)
                .containsExactly(0L, (long) TierFixture.REGION, 2L * TierFixture.REGION);
        assertThat(regions.stream().map(Region::key).distinct()).hasSize(3);
        Path own = fixture.server.directory().path();
        assertThat(Files.size(own.resolve("region-0"))).isEqualTo(TierFixture.REGION);
        assertThat(fixture.server.isAlive()).isTrue();
        fixture.server.close();
        assertThat(fixture.server.isAlive()).isFalse();
        assertThat(own).doesNotExist();
        assertThat(names(directory.resolve("data"))).isEmpty();
    }

    /** So nobody can be met later by a file system that is full. */
    @Test
    void shouldHaveAllPagesOfARegionBeforeTheNamenodeIsToldOfIt(@TempDir(factory = InMemory.class) Path memory)
            throws Exception {
        at(memory);
        fixture.conf.set(TcpTierKeys.STORAGE_MAPPED, true);
        fixture.start();
        Path region = fixture.server.directory().path().resolve("region-0");
        for (Path file : List.of(region, region.resolveSibling("region-0.fence"))) {
            assertThat(allocatedBytes(file)).as("%s", file).isGreaterThanOrEqualTo(Files.size(file));
        }
    }

    private static long allocatedBytes(Path file) throws Exception {
        String[] said = ProcessOutput.of(List.of("stat", "-c", "%b %B"), file.toString())
                .strip()
                .split(" ", 2);
        return Long.parseLong(said[0]) * Long.parseLong(said[1]);
    }

    @Test
    void shouldChangeItsIncarnationWithEachStart() throws Exception {
        at(directory).start();
        TcpStorageServer first = fixture.server;
        fixture.start();
        assertThat(fixture.server.incarnation()).isNotEqualTo(first.incarnation());
    }

    @Test
    void shouldSayThatADataPathCannotBeMade() {
        Path missing = directory.resolve("no").resolve("such");
        assertThatThrownBy(() -> at(missing).start())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(missing.toString())
                .hasMessageContaining("does not exist")
                .hasMessageContaining("crail.storage.tcp.datapath");
    }

    @Test
    void shouldLeaveNothingBehindWhenThePortIsInUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            at(directory);
            int port = ((InetSocketAddress) taken.getLocalSocketAddress()).getPort();
            fixture.conf.set(TcpTierKeys.STORAGE_PORT, port);
            assertThatThrownBy(() -> fixture.start())
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("127.0.0.1:" + port)
                    .hasMessageContaining("in use");
        }
        assertThat(names(directory)).isEmpty();
    }
}
