/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.CrailException;
import org.apache.crail.rpc.client.NamenodeConnection;
import org.apache.crail.rpc.message.ReportRequest;
import org.apache.crail.rpc.message.ReportResponse;
import org.apache.crail.rpc.transport.RpcTransport;
import org.apache.crail.testkit.servers.ServerPlace;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The tarball as a user has it: unpacked, and processes of {@code bin/crail} with a configuration for DaRPC and the {@code rdma} tier, and
 * nothing else that is set.
 */
@Tag("rdma")
final class PackagedRdmaTest {
    private static final Duration START_LIMIT = Duration.ofMinutes(4);
    private static final long COMMAND_LIMIT_S = 240;
    private static final int MIBI = 1 << 20;

    @TempDir
    private Path work;

    private final List<Process> servers = new ArrayList<>();
    private final List<Process> processes = new ArrayList<>();
    private Path home;
    private int port;

    @BeforeEach
    void unpackAndConfigure() throws Exception {
        home = unpack();
        port = unusedPort();
        Files.createDirectories(work.resolve("data"));
        Files.createDirectories(work.resolve("cache"));
        Files.writeString(
                configuration(),
                """
                crail.namenode.address = crail://%s:%d
                crail.namenode.rpctype = org.apache.crail.namenode.rpc.darpc.DaRPCNameNode
                crail.storage.types = org.apache.crail.storage.rdma.RdmaStorageTier
                crail.storage.rdma.port = 0
                crail.storage.rdma.storagelimit = 32m
                crail.storage.rdma.allocationsize = 16m
                crail.storage.rdma.datapath = %s
                crail.cachepath = %s
                crail.cachelimit = 16m
                crail.regionsize = 8m
                crail.connecttimeout = 60s
                crail.rpctimeout = 60s
                crail.datatimeout = 60s
                """
                        .formatted(ServerPlace.testHost(), port, work.resolve("data"), work.resolve("cache")));
    }

    private Path unpack() throws Exception {
        Path target = Path.of("crail-dist", "target");
        assumeTrue(Files.isDirectory(target), "the distribution is not built: there is no " + target.toAbsolutePath());
        Path tarball = only(target, ".tar.gz");
        Process tar = new ProcessBuilder("tar", "-xzf", tarball.toString(), "-C", work.toString())
                .inheritIO()
                .start();
        assertThat(tar.waitFor()).isZero();
        return only(work, "");
    }

    private static Path only(Path directory, String ending) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith("crail-")
                            && file.toString().endsWith(ending))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private Path configuration() {
        return home.resolve("conf/crail-site.conf");
    }

    private static int unusedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(ServerPlace.testHost()))) {
            return socket.getLocalPort();
        }
    }

    @Test
    @Timeout(900) // as many JVMs as there are commands, which start slowly in the lab
    void shouldStoreFilesAndGiveThemBack() throws Exception {
        server("namenode");
        Process datanode = server("datanode", "-t", "org.apache.crail.storage.rdma.RdmaStorageTier");
        awaitDatanode();

        Path files = makeFiles(work.resolve("files"));
        Path back = Files.createDirectory(work.resolve("back"));
        run("fs", "-put", files.toString(), "/");
        assertThat(run("fs", "-ls", "/files")).contains("/files/small", "/files/large");
        run("fs", "-get", "/files", back.toString());
        for (String name : List.of("small", "large")) {
            assertThat(Files.mismatch(files.resolve(name), back.resolve("files").resolve(name)))
                    .as(name)
                    .isEqualTo(-1);
        }
        assertThat(run("iobench", "-t", "readSequential", "-f", "/files/large", "-s", "65536", "-k", "16", "-w", "1"))
                .contains("ops 16", "sumbytes 1048576");
        assertThat(run("report")).contains("1 live, 0 silent", "RdmaStorageTier");

        stop(datanode);
        stop(servers.get(0));
        try (Stream<Path> left = Files.list(work.resolve("data"))) {
            assertThat(left.map(Path::getFileName).map(Path::toString)).containsExactly(".crail-lock");
        }
    }

    private static Path makeFiles(Path directory) throws IOException {
        Files.createDirectory(directory);
        Random random = new Random(1);
        for (String name : List.of("small", "large")) {
            byte[] content = new byte[name.equals("small") ? 100 : 5 * MIBI + 17];
            random.nextBytes(content);
            Files.write(directory.resolve(name), content);
        }
        return directory;
    }

    private Process server(String... arguments) throws IOException {
        Process server = start(work.resolve(arguments[0] + ".log"), arguments);
        servers.add(server);
        processes.add(server);
        return server;
    }

    /** Runs a command until it ends; answers what it printed. */
    private String run(String... arguments) throws Exception {
        Path output = Files.createTempFile(work, "output", "");
        Process process = start(output, arguments);
        processes.add(process);
        boolean ended = process.waitFor(COMMAND_LIMIT_S, TimeUnit.SECONDS);
        String what = String.join(" ", arguments) + ": " + Files.readString(output);
        assertThat(ended).as("%s%s", what, logs()).isTrue();
        assertThat(process.exitValue()).as("%s%s", what, logs()).isZero();
        return Files.readString(output);
    }

    /** Only what the machine sets, and options of the JVM that make it start quickly and keep it alive under emulation. */
    private Process start(Path output, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(home.resolve("bin/crail").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("CRAIL_") || name.equals("LD_LIBRARY_PATH"));
        builder.environment().put("CRAIL_EXTRA_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
        return builder.start();
    }

    private void awaitDatanode() throws Exception {
        Await.until("the datanode is live", START_LIMIT, () -> {
            for (Process server : servers) {
                if (!server.isAlive()) {
                    throw new AssertionError("a server has ended" + logs());
                }
            }
            try {
                return report().datanodeCount() == 1;
            } catch (CrailException e) {
                return false;
            }
        });
    }

    private ReportResponse report() throws Exception {
        CrailConfiguration configuration =
                CrailConfiguration.createConfigurationFromFile(configuration().toString());
        try (RpcTransport transport =
                        RpcTransport.createInstance(configuration.get(CrailKeys.NAMENODE_RPC_TYPE), configuration);
                NamenodeConnection connection = NamenodeConnection.of(
                        transport, () -> new InetSocketAddress(ServerPlace.testHost(), port), configuration)) {
            return connection.call(new ReportRequest()).get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof CrailException failure ? failure : e;
        }
    }

    private static void stop(Process server) throws Exception {
        server.destroy();
        assertThat(server.waitFor(COMMAND_LIMIT_S, TimeUnit.SECONDS)).isTrue();
    }

    private String logs() throws IOException {
        StringBuilder text = new StringBuilder();
        for (String server : List.of("namenode", "datanode")) {
            Path log = work.resolve(server + ".log");
            text.append("\n== ").append(server).append('\n').append(Files.exists(log) ? Files.readString(log) : "");
        }
        return text.toString();
    }

    @AfterEach
    void endProcesses() throws InterruptedException {
        for (Process process : processes) {
            process.destroyForcibly().waitFor();
        }
    }
}
