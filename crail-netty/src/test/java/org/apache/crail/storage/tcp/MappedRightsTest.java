/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import static org.apache.crail.storage.tcp.TierFixture.BLOCK;
import static org.apache.crail.storage.tcp.TierFixture.buffer;
import static org.apache.crail.storage.tcp.TierFixture.bytes;
import static org.apache.crail.storage.tcp.TierFixture.get;
import static org.apache.crail.storage.tcp.TierFixture.random;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.crail.CrailBuffer;
import org.apache.crail.netty.TcpTierKeys;
import org.apache.crail.storage.StorageEndpoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients in another process, which may use the datanode's files, or may not. */
class MappedRightsTest {
    /** Takes much longer than a mapping. */
    private static final int MANY_COPIES = 1_000;

    @TempDir(factory = InMemory.class)
    private Path dataPath;

    private TierFixture fixture;
    private CrailBuffer written;

    @BeforeEach
    void startAndWrite() throws Exception {
        fixture = new TierFixture(dataPath, true);
        fixture.conf.set(TcpTierKeys.STORAGE_MAPPED, true);
        fixture.start();
        written = random(new Random(7), BLOCK);
        get(fixture.endpoint().write(written, fixture.block(0), 0));
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    /** A command that starts a process that may not use every file: root can do without the rights that let it. */
    private static List<String> commandWithoutRights() throws Exception {
        if (!"root".equals(System.getProperty("user.name"))) {
            return List.of();
        }
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "root may use every file, and has no setpriv");
        String rights = "-dac_override,-dac_read_search";
        List<String> command = List.of("setpriv", "--bounding-set=" + rights, "--inh-caps=" + rights);
        List<String> trial = new ArrayList<>(command);
        trial.add("true");
        assumeTrue(
                new ProcessBuilder(trial).start().waitFor() == 0,
                "root may use every file, and setpriv cannot take that from it");
        return command;
    }

    private void requireCopy() throws Exception {
        StorageEndpoint endpoint = fixture.endpoint();
        CrailBuffer read = buffer(BLOCK);
        get(endpoint.read(read, fixture.block(1), 0));
        assertThat(bytes(read, 0, BLOCK)).isEqualTo(bytes(written, 0, BLOCK));
    }

    @Test
    void shouldMapWhatAnotherProcessMayUse() throws Exception {
        assertThat(MappedProbe.copy(commandWithoutRights(), fixture, Integer.MAX_VALUE))
                .contains("mapped [region-0, region-0.fence]");
        requireCopy();
    }

    /**
     * A file that may only be read is not mapped for reads either: whoever reads has to raise the epoch in the fence.
     */
    @ParameterizedTest
    @CsvSource({
        "region-0,       ---------",
        "region-0,       r--------",
        "region-0.fence, r--------",
        "'',             --x------"
    })
    void shouldUseASocketWhereRightsForbidAFile(String file, String rights) throws Exception {
        Path forbidden = fixture.server.directory().path().resolve(file);
        Set<PosixFilePermission> former = Files.getPosixFilePermissions(forbidden);
        List<String> command = commandWithoutRights();
        Files.setPosixFilePermissions(forbidden, PosixFilePermissions.fromString(rights));
        try {
            assertThat(MappedProbe.copy(command, fixture, MANY_COPIES)).contains("mapped []");
        } finally {
            Files.setPosixFilePermissions(forbidden, former);
        }
        requireCopy();
    }
}
