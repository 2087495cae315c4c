/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.server;

import java.util.List;
import java.util.concurrent.Callable;
import org.apache.crail.cli.console.Numbers;
import org.apache.crail.cli.console.Sizes;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.conf.CrailConfiguration;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code crail mini}. Used by one thread. */
@Command(
        name = "mini",
        description =
                "Run a namenode and datanodes in one process, for trying things: until Ctrl-C, or for one command.",
        footer = {"", "Examples: crail mini", "          crail mini -p 0 iobench -t write -k 1000"})
public final class MiniCommand implements Callable<Integer> {
    private final CliContext context;

    @Option(
            names = {"-n", "--datanodes"},
            paramLabel = "N",
            defaultValue = "2",
            converter = Numbers.Count.class,
            description = "How many datanodes. Default: ${DEFAULT-VALUE}.")
    private int datanodes;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            converter = Numbers.Port.class,
            description = "Port of the namenode, 0 for any free one. Default: that in crail.namenode.address.")
    private Integer port;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            converter = Sizes.class,
            description = "How much each datanode offers. Default: crail.storage.tcp.storagelimit if that is set, else"
                    + " 256m.")
    private Long sizeBytes;

    @Parameters(
            paramLabel = "COMMAND",
            arity = "0..*",
            description = "A crail command to run on the cluster, which then ends with the command's exit code.")
    private List<String> command = List.of();

    /** Makes the command. */
    public MiniCommand(CliContext context) {
        this.context = context;
    }

    /** What follows the name of the nested command is that command's. */
    @Spec
    void spec(CommandSpec value) {
        value.parser().stopAtPositional(true);
    }

    @Override
    public Integer call() throws Exception {
        int mistake = command.isEmpty() ? ExitCode.OK : context.check(command);
        if (mistake != ExitCode.OK) {
            return mistake;
        }
        CrailConfiguration base = context.configuration();
        context.warn(base);
        MiniServers servers = MiniServers.start(base, datanodes, port, sizeBytes);
        if (command.isEmpty()) {
            String address = servers.address();
            context.console().line("crail mini runs at " + address + "; try, in another shell:");
            context.console().line("  crail -D crail.namenode.address=" + address + " fs -ls /");
            RunningServer.untilStopped("mini", address, servers);
            return ExitCode.OK;
        }
        CrailConfiguration conf = servers.configuration();
        try (servers) {
            return context.run(conf, command);
        }
    }
}
