/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.ConfigurationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SocketDirectoryTest {
    @TempDir
    private Path temporary;

    private final List<ServerSocketChannel> servers = new ArrayList<>();

    @AfterEach
    void closeServers() throws IOException {
        for (ServerSocketChannel server : servers) {
            server.close();
        }
    }

    private void listen(Path socket) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        servers.add(server);
        server.bind(UnixDomainSocketAddress.of(socket));
    }

    private Path listenIn(Path directory) throws IOException {
        return new SocketDirectory(directory).bind(this::listen);
    }

    private static List<Path> sockets(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".sock")).toList();
        }
    }

    @Test
    void shouldMakeASocketForEverybodyInADirectoryOfItsUser() throws Exception {
        Path directory = temporary.resolve("new");
        Path socket = listenIn(directory);
        assertThat(sockets(directory)).containsExactly(socket);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                .isEqualTo("rwxr-xr-x");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                .isEqualTo("rwxrwxrwx");
    }

    @Test
    void shouldRemoveWhatCrashedServersLeftAndNothingElse() throws Exception {
        Path crashed = listenIn(temporary);
        servers.get(0).close(); // a file stays, as after a crash
        assertThat(crashed).exists();
        Path foreign = temporary.resolve("other.sock");
        listen(foreign);
        servers.get(1).close();
        Path text = Files.writeString(temporary.resolve("crail-notes.txt"), "kept");
        Path first = listenIn(temporary);
        Path second = listenIn(temporary);
        assertThat(sockets(temporary)).containsExactlyInAnyOrder(foreign, first, second);
        assertThat(text).exists();
    }

    @Test
    void shouldKeepASocketWhoseBacklogIsFull() throws Exception {
        Path busy = new SocketDirectory(temporary).bind(socket -> {
            ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            servers.add(server);
            server.bind(UnixDomainSocketAddress.of(socket), 1);
        });
        for (int i = 0; i < 5; i++) {
            listenIn(temporary);
        }
        assertThat(busy).exists();
    }

    @Test
    void shouldRefuseAPathThatIsTooLong() throws Exception {
        Path directory = Files.createDirectory(temporary.resolve("d".repeat(100)));
        assertThatThrownBy(() -> listenIn(directory))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(directory.toString())
                .hasMessageContaining("too long")
                .hasMessageContaining("106")
                .hasMessageContaining("crail.unixsocketpath");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void shouldTakeTheLongestDirectoryThatIsDocumented() throws Exception {
        int missing = 76 - temporary.toString().length() - 1;
        assumeTrue(missing > 0, "the directory for temporary files has too long a path");
        Path directory = temporary.resolve("d".repeat(missing));
        assertThat(listenIn(directory).toString()).hasSize(SocketDirectory.MAX_PATH_BYTES);
    }

    @Test
    void shouldRefuseADirectoryThatOthersMayWriteTo() throws Exception {
        for (String rights : List.of("rwxrwxr-x", "rwxr-xrwx")) {
            Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString(rights));
            assertThatThrownBy(() -> listenIn(temporary)).hasMessageContaining("written by other users");
        }
        assertThat(servers).isEmpty();
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void shouldRefuseADirectoryOfSomebodyElse() throws Exception {
        assumeTrue("root".equals(Files.getOwner(temporary).getName()), "only root can give a directory away");
        Path directory = Files.createDirectory(temporary.resolve("theirs"));
        Files.setAttribute(directory, "unix:uid", 65_534);
        assertThatThrownBy(() -> listenIn(directory)).hasMessageContaining("belongs to user");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void shouldRefuseWhatIsNoDirectoryAndWhatCannotBeMade() throws Exception {
        Path file = Files.writeString(temporary.resolve("file"), "");
        assertThatThrownBy(() -> listenIn(file)).hasMessageContaining("is not a directory");
        assertThatThrownBy(() -> listenIn(temporary.resolve("a/b"))).hasMessageContaining("cannot be made");
    }

    @Test
    void shouldRefuseALinkInThePlaceOfTheDirectory() throws Exception {
        Path link = Files.createSymbolicLink(temporary.resolve("link"), Files.createDirectory(temporary.resolve("d")));
        assertThatThrownBy(() -> listenIn(link)).hasMessageContaining("is a link");
        assertThat(temporary.resolve("d")).isEmptyDirectory();
    }

    @Test
    void shouldNotFollowALinkInThePlaceOfItsLock() throws Exception {
        Path victim = temporary.resolve("victim");
        Files.createSymbolicLink(temporary.resolve(".crail-lock"), victim);
        assertThatThrownBy(() -> listenIn(temporary)).hasMessageContaining("cannot be used");
        assertThat(victim).doesNotExist();
    }

    /** A server must not be able to send clients to the socket of another program. */
    @Test
    void shouldTellSocketsOfServersFromOthers() throws Exception {
        Path socket = listenIn(temporary);
        assertThat(SocketDirectory.mayHaveMade(socket)).isTrue();
        Path foreign = temporary.resolve("docker.sock");
        listen(foreign);
        assertThat(SocketDirectory.mayHaveMade(foreign)).isFalse();
        assertThat(SocketDirectory.mayHaveMade(temporary.resolve("crail-missing.sock")))
                .isFalse();
        assertThat(SocketDirectory.mayHaveMade(Path.of("/"))).isFalse();
        Path link = Files.createSymbolicLink(temporary.resolve("crail-link.sock"), foreign);
        assertThat(SocketDirectory.mayHaveMade(link)).isFalse();
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(SocketDirectory.mayHaveMade(socket))
                .as("where others may put theirs")
                .isFalse();
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void shouldNotTakeASocketInADirectoryOfSomebodyElseForAServers() throws Exception {
        assumeTrue("root".equals(Files.getOwner(temporary).getName()), "only root can give a socket away");
        Path socket = listenIn(temporary);
        Files.setAttribute(socket, "unix:uid", 65_534);
        assertThat(SocketDirectory.mayHaveMade(socket)).isFalse();
    }

    @Test
    void shouldBeConfigurable() throws Exception {
        CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        assertThat(SocketDirectory.of(conf)).isPresent();
        conf.set(TcpTierKeys.UNIX_SOCKET_PATH, temporary.toString());
        assertThat(SocketDirectory.of(conf).orElseThrow().bind(this::listen)).hasParent(temporary);
        conf.set(TcpTierKeys.UNIX_SOCKETS, false);
        assertThat(SocketDirectory.of(conf)).isEqualTo(Optional.empty());
    }
}
