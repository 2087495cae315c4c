/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.crail.conf.CrailConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfCommandTest {
    private static final String TCP = "org.apache.crail.storage.tcp.TcpStorageTier";
    private static final String NVMF = "org.apache.crail.storage.nvmf.NvmfStorageTier";
    private static final String RDMA = "org.apache.crail.storage.rdma.RdmaStorageTier";

    @TempDir
    private Path directory;

    private final CrailConfiguration configuration = CrailConfiguration.createEmptyConfiguration();

    @BeforeEach
    void configure() {
        configuration.set("crail.namenode.address", "crail://nn.example:9060");
        configuration.set("crail.storage.types", TCP);
        configuration.set("crail.storage.classes", "2");
    }

    private CommandRun conf(String command, String... slaves) throws Exception {
        Path file = Files.write(directory.resolve("slaves"), List.of(slaves));
        return CommandRun.of(configuration, "conf", command, "--slaves", file.toString());
    }

    @Test
    void shouldPlanTheNamenodeAndADatanodeForEachLine() throws Exception {
        CommandRun run = conf(
                        "plan",
                        "# two hosts",
                        "",
                        "a.example",
                        "  b   -c 1 -t " + TCP + "   # flash",
                        "b -- -p 50021 -d /mnt/it's",
                        "fd00::1",
                        "fd00__1 -- -p 50021",
                        "fe80::1%eth0")
                .ok();

        assertThat(run.lines())
                .containsExactly(
                        "namenode\tnn.example\tnamenode",
                        "datanode-a.example-1\ta.example\tdatanode",
                        "datanode-b-1\tb\tdatanode -t " + TCP + " -c 1",
                        "datanode-b-2\tb\tdatanode -- -p 50021 -d '/mnt/it'\\''s'",
                        "datanode-fd00__1-1\tfd00::1\tdatanode",
                        "datanode-fd00__1-2\tfd00__1\tdatanode -- -p 50021",
                        "datanode-fe80__1_eth0-1\tfe80::1%eth0\tdatanode");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            b -x 1               | line 3: "-x" is not known
            b -p 50021           | options of the tier, such as -p for a port, come after --
            b -c                 | line 3: -c lacks its value
            b -c flash           | the storage class "flash" is no number
            b -c 2               | line 3: storage class 2 does not exist; there are 2, counted from 0
            b -t org.example.T   | line 3: the tier org.example.T is none of crail.storage.types
            -oProxyCommand=x     | "-oProxyCommand=x" is no host name or address
            $(reboot)            | "$(reboot)" is no host name or address
            user@b               | "user@b" is no host name or address (users belong into ~/.ssh/config
            a                    | this datanode and that of line 1 would both listen on a at port 50020
            a -t TCP             | this datanode and that of line 1 would both listen on a at port 50020
            a -- -p50020         | this datanode and that of line 1 would both listen on a at port 50020
            c -- -p 7 -p 8       | this datanode and that of line 2 would both listen on c at port 8
            b -- -x 5            | unknown option "-x" of the tcp tier
            b -- -p many         | option -p of the tcp tier
            """)
    void shouldSayWhatIsWrongOnWhichLine(String line, String error) throws Exception {
        for (String command : new String[] {"check", "plan"}) {
            CommandRun run = conf(command, "a", "c -- -p 8", line.replace("TCP", TCP));

            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.out()).isEmpty();
            assertThat(run.err()).contains(error).contains(directory.resolve("slaves") + ", line 3");
        }
    }

    @Test
    void shouldTakeSeveralDatanodesOfAHostThatListenApart() throws Exception {
        configuration.set("crail.namenode.address", "crail://192.0.2.9:9060");
        configuration.set("crail.storage.types", TCP + "," + RDMA);

        assertThat(conf(
                                "check",
                                "192.0.2.1",
                                "192.0.2.1 -t " + RDMA,
                                "192.0.2.1 -- -p 50021",
                                "192.0.2.1 -- -p 0",
                                "192.0.2.1 -- -p 0",
                                "192.0.2.2")
                        .ok()
                        .out())
                .contains("192.0.2.9, 6 datanodes: nothing is wrong");
    }

    @Test
    void shouldTakeSeveralDatanodesOfATarget() throws Exception {
        configuration.set("crail.namenode.address", "crail://192.0.2.9:9060");
        configuration.set("crail.storage.types", NVMF);
        configuration.set("crail.storage.nvmf.ip", "192.0.2.1");

        conf("check", "192.0.2.1 -- -p 4420 -o 0 -l 1g", "192.0.2.1 -- -p 4420 -o 1g")
                .ok();
    }

    @Test
    void shouldTakeDatanodesOfOnePortOnSeveralInterfaces() throws Exception {
        configuration.set("crail.namenode.address", "crail://192.0.2.9:9060");
        conf("check", "192.0.2.1 -- -i eth0", "192.0.2.1 -- -i eth1").ok();
    }

    @ParameterizedTest
    @ValueSource(strings = {"crail://-oProxyCommand=x:9060", "crail://h%09$(reboot):9060", "crail://a:1,crail://b:1"})
    void shouldRefuseANamenodeThatIsNoHost(String address) throws Exception {
        configuration.set("crail.namenode.address", address);
        CommandRun run = conf("plan", "a");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("crail.namenode.address");
    }

    @Test
    void shouldRefuseDatanodesThatCannotReachTheNamenode() throws Exception {
        configuration.set("crail.namenode.address", "crail://localhost:9060");

        conf("check", "localhost", "127.0.0.1 -- -p 50021").ok();
        assertThat(conf("check", "localhost", "b").err()).contains("line 2: a datanode on b cannot reach");
    }

    @Test
    void shouldTellAllThatIsWrong() throws Exception {
        configuration.set("crail.blocksize", "much");

        assertThat(conf("check", "-", "b -x").err()).contains("crail.blocksize", "line 1", "line 2");
    }

    @Test
    void shouldNameTheLineOfTheSiteFile() throws Exception {
        Path site = Files.write(
                directory.resolve("crail-site.conf"),
                List.of("# a comment", "", "crail.user = \\", "  me", "crail.blocksize = much"));
        Path slaves = Files.write(directory.resolve("slaves"), List.of("a"));
        CommandRun run =
                CommandRun.of(configuration, "conf", "check", "--conf", site.toString(), "--slaves", slaves.toString());

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("crail.blocksize", site + ", line 5");
    }

    @Test
    void shouldWantAHost() throws Exception {
        assertThat(conf("check", "# nobody").err()).contains("names no host");
    }

    @Test
    void shouldWarnOfUnknownKeysButPass() throws Exception {
        configuration.set("crail.blocksise", "1m");

        CommandRun run = conf("check", "a");

        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).contains("warning: ", "did you mean crail.blocksize?");
        assertThat(run.out()).contains("1 datanode: 2 warnings");
        String slaves = directory.resolve("slaves").toString();
        assertThat(CommandRun.of(configuration, "conf", "check", "--strict", "--slaves", slaves)
                        .exitCode())
                .isEqualTo(1);
    }

    @Test
    void shouldTellOfHostsThatDoNotResolveAndNotOfThoseThatDo() throws Exception {
        configuration.set("crail.namenode.address", "crail://127.0.0.1:9060");

        CommandRun run = conf("check", "localhost");

        assertThat(run.ok().out()).contains("1 datanode: nothing is wrong");
        configuration.set("crail.namenode.address", "crail://no-such-host.invalid:9060");
        assertThat(conf("check", "localhost").err()).contains("cannot resolve no-such-host.invalid;");
    }

    @Test
    void shouldTellOfANamenodeAtLoopbackOnce() throws Exception {
        configuration.set("crail.namenode.address", null);

        assertThat(conf("check", "a", "b", "c").err())
                .contains("a namenode at localhost (default)")
                .hasLineCount(1);
    }

    @Test
    void shouldWantASlavesFile() {
        CommandRun run = CommandRun.of(
                configuration,
                "conf",
                "check",
                "--slaves",
                directory.resolve("no").toString());

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains(directory.resolve("no").toString(), "write one");
    }

    @Test
    void shouldPrintValuesWithTheirOrigins() {
        assertThat(CommandRun.of(configuration, "conf", "print").ok().out())
                .contains("crail.namenode.address", "crail://nn.example:9060", "ORIGIN");
    }
}
