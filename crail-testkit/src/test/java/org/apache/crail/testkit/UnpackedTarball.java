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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.CrailException;
import org.apache.crail.rpc.client.NamenodeConnection;
import org.apache.crail.rpc.message.ReportRequest;
import org.apache.crail.rpc.message.ReportResponse;
import org.apache.crail.rpc.transport.RpcTransport;
import org.apache.crail.testkit.servers.ServerPlace;

/**
 * The tarball as a user has it: unpacked, with a configuration, and processes of its scripts for which nothing else is
 * set. Used by one thread.
 */
final class UnpackedTarball {
    private static final long COMMAND_LIMIT_S = 1300;
    private static final String START_LIMIT_S = "600";
    private static final String STOP_LIMIT_S = "300";

    private final Path work;
    private final Path home;
    private final int port;
    private final List<Process> processes = new ArrayList<>();
    private final List<Path> outputs = new ArrayList<>();

    private UnpackedTarball(Path work, Path home) throws IOException {
        this.work = work;
        this.home = home;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(ServerPlace.testHost()))) {
            this.port = socket.getLocalPort();
        }
    }

    /** Unpacks the tarball that the build has made into a directory; gives the test up if there is none. */
    static UnpackedTarball in(Path work) throws Exception {
        Path target = Path.of("crail-dist", "target");
        assumeTrue(Files.isDirectory(target), "the distribution is not built: there is no " + target.toAbsolutePath());
        Path tarball = only(target, ".tar.gz");
        Process tar = new ProcessBuilder("tar", "-xzf", tarball.toString(), "-C", work.toString())
                .inheritIO()
                .start();
        assertThat(tar.waitFor()).isZero();
        return new UnpackedTarball(work, only(work, ""));
    }

    private static Path only(Path directory, String ending) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith("crail-")
                            && file.toString().endsWith(ending))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Writes {@code crail-site.conf}, with the address of a namenode on the host of the tests before these lines. */
    void configure(String lines) throws IOException {
        Files.writeString(
                siteFile(),
                "crail.namenode.address = crail://%s:%d\n%s".formatted(ServerPlace.testHost(), port, lines));
    }

    /** Writes the slaves file. */
    void slaves(String... lines) throws IOException {
        Files.write(home.resolve("conf/slaves"), List.of(lines));
    }

    /**
     * Takes the files of an example in {@code conf/examples} as they are, but for the namenode's address, values of
     * keys (lines of a site file) and words of the slaves file; of that, the lines of {@code node1}. Answers how many
     * processes it has.
     */
    int example(String name, String values, Map<String, String> words) throws IOException {
        Path example = home.resolve("conf/examples").resolve(name);
        Set<String> replaced = Stream.concat(
                        Stream.of(CrailKeys.NAMENODE_ADDRESS.name()),
                        values.lines().map(UnpackedTarball::key))
                .collect(Collectors.toSet());
        try (Stream<String> lines = Files.lines(example.resolve("crail-site.conf"))) {
            configure(Stream.concat(lines.filter(line -> !replaced.contains(key(line))), values.lines())
                    .collect(Collectors.joining("\n")));
        }
        String[] datanodes;
        try (Stream<String> lines = Files.lines(example.resolve("slaves"))) {
            datanodes = lines.filter(line -> line.startsWith("node1 ") || line.equals("node1"))
                    .map(line -> Stream.of(line.split(" "))
                            .map(word -> words.getOrDefault(word, word))
                            .collect(Collectors.joining(" ")))
                    .toArray(String[]::new);
        }
        slaves(datanodes);
        return datanodes.length + 1;
    }

    private static String key(String line) {
        return line.replaceFirst("=.*", "").strip();
    }

    private Path siteFile() {
        return home.resolve("conf/crail-site.conf");
    }

    /** Starts the servers of the slaves file, so many processes in all. */
    void startCluster(int servers) throws Exception {
        assertThat(run("start-crail.sh", "--limit", START_LIMIT_S).lines())
                .filteredOn(line -> !line.contains(": waiting for ")) // by how fast the machine is
                .hasSize(servers)
                .allMatch(line -> line.contains(" started (pid "));
    }

    /** Stops them again. */
    void stopCluster(int servers) throws Exception {
        assertThat(run("stop-crail.sh", "--limit", STOP_LIMIT_S).lines())
                .hasSize(servers)
                .allMatch(line -> line.contains(" stopped (pid "));
    }

    /** Runs a script of {@code bin} until it ends; answers what it printed. */
    String run(String script, String... arguments) throws Exception {
        Process process = start(script, arguments);
        boolean ended = process.waitFor(COMMAND_LIMIT_S, TimeUnit.SECONDS);
        String what = script + " " + String.join(" ", arguments);
        assertThat(ended).as("%s ended%s", what, printed()).isTrue();
        assertThat(process.exitValue()).as("exit code of %s%s", what, printed()).isZero();
        return Files.readString(outputs.get(outputs.size() - 1));
    }

    /**
     * Begins a script with what the machine sets only, and options of the JVM that make it start quickly and keep it
     * alive under emulation.
     */
    Process start(String script, String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(home.resolve("bin").resolve(script).toString()));
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile(work, script, ".out");
        outputs.add(output);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("CRAIL_") || name.equals("LD_LIBRARY_PATH"));
        builder.environment().put("CRAIL_EXTRA_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    /** All that its processes have printed. */
    String printed() throws IOException {
        StringBuilder text = new StringBuilder();
        for (Path output : outputs) {
            text.append("\n== ").append(output.getFileName()).append('\n').append(Files.readString(output));
        }
        return text.toString();
    }

    /** What the namenode says of the cluster. */
    ReportResponse report() throws Exception {
        CrailConfiguration configuration =
                CrailConfiguration.createConfigurationFromFile(siteFile().toString());
        try (RpcTransport transport =
                        RpcTransport.createInstance(configuration.get(CrailKeys.NAMENODE_RPC_TYPE), configuration);
                NamenodeConnection connection = NamenodeConnection.of(
                        transport, () -> new InetSocketAddress(ServerPlace.testHost(), port), configuration)) {
            return connection.call(new ReportRequest()).get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof CrailException failure ? failure : e;
        }
    }

    /** Stops what {@code start-crail.sh} has started, and ends all other processes. */
    void close() throws IOException, InterruptedException {
        if (Files.exists(home.resolve("run/cluster.plan"))) {
            start("stop-crail.sh", "--limit", STOP_LIMIT_S).waitFor(COMMAND_LIMIT_S, TimeUnit.SECONDS);
        }
        for (Process process : processes) {
            process.destroyForcibly().waitFor();
        }
    }
}
