/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.crail.cli.server.ServerProcess.Launch;
import org.apache.crail.testkit.Pattern;
import org.apache.crail.testkit.TestClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What servers make for themselves is theirs alone, whatever their users let others do with new files. */
@Tag("faults")
@Timeout(120)
class ServerFilesTest extends ServersInProcesses {
    private static final int BYTES = 200_000;
    private static final Set<PosixFilePermission> OF_THE_OWNER = EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    @Test
    void shouldLetNobodyElseUseTheFilesOfServersThatStartWithoutAMask() throws Exception {
        Path sockets = work.resolve("sockets");
        settings.put("crail.unixsocketpath", sockets.toString());
        Launch open = new Launch(
                List.of("sh", "-c", "umask 0; exec \"$@\"", "sh"), Launch.USUAL.options(), Launch.USUAL.classPath());
        startNamenode(open);
        startDatanode(open);
        TestClient client = openClient(60_000);
        client.write("/first", Pattern.of(1, BYTES));
        assertThat(client.read("/first")).isEqualTo(Pattern.of(1, BYTES));

        assertThat(Files.getPosixFilePermissions(sockets))
                .as("others may connect, and make no sockets")
                .doesNotContain(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
        try (Stream<Path> files = Files.walk(work.resolve("data"))) {
            List<Path> all = files.toList();
            assertThat(all).as("made by the datanode").hasSizeGreaterThan(1);
            assertThat(all).allSatisfy(file -> assertThat(OF_THE_OWNER)
                    .as(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .containsAll(Files.getPosixFilePermissions(file)));
        }
    }
}
