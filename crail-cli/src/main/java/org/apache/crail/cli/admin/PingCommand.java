/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.admin;

import java.util.concurrent.Callable;
import org.apache.crail.cli.console.FailureText;
import org.apache.crail.cli.console.Numbers;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.cli.context.Namenodes;
import org.apache.crail.error.CrailException;
import org.apache.crail.rpc.message.PingRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** {@code crail ping}. Used by one thread. */
@Command(name = "ping", description = "Ask the namenodes for a sign of life.")
public final class PingCommand implements Callable<Integer> {
    private static final double NS_PER_US = 1e3;

    private final CliContext context;

    @Option(
            names = {"-c", "-n", "--count"},
            paramLabel = "N",
            defaultValue = "1",
            converter = Numbers.Count.class,
            description = "How often. Default: ${DEFAULT-VALUE}.")
    private int count;

    /** Makes the command. */
    public PingCommand(CliContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws Exception {
        int exitCode = ExitCode.OK;
        try (Namenodes namenodes = context.connect()) {
            for (Namenodes.Namenode namenode : namenodes.all()) {
                exitCode = Math.max(exitCode, ping(namenode));
            }
        }
        return exitCode;
    }

    private int ping(Namenodes.Namenode namenode) throws InterruptedException {
        try {
            namenode.call(new PingRequest(0)); // connects, and loads code
            for (int i = 0; i < count; i++) {
                long startNs = System.nanoTime();
                namenode.call(new PingRequest(i));
                context.console()
                        .linef(
                                "namenode %s answered in %.1f us",
                                namenode.address(), (System.nanoTime() - startNs) / NS_PER_US);
            }
            return ExitCode.OK;
        } catch (CrailException e) {
            context.console().error("crail ping: " + FailureText.line(e));
            return ExitCode.SOFTWARE;
        }
    }
}
