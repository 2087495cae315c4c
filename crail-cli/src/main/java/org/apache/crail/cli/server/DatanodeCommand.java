/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.server;

import java.util.List;
import java.util.concurrent.Callable;
import org.apache.crail.cli.console.Numbers;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.storage.datanode.Datanode;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code crail datanode}. Used by one thread. */
@Command(
        name = "datanode",
        description = "Run a datanode until it is stopped with SIGTERM or Ctrl-C.",
        footer = {"", "Options of the tier come after --, e.g. crail datanode -c 1 -- -p 50021"})
public final class DatanodeCommand implements Callable<Integer> {
    /** The name of what goes to the tier. */
    public static final String TIER_OPTION = "TIER-OPTION";

    private static final int FROM_TIER = -1;

    private final CliContext context;

    @Option(
            names = "-t",
            paramLabel = "CLASS",
            description = "Class of the storage tier, one of crail.storage.types. Default: the first of them.")
    private String tierClass;

    @Option(
            names = "-c",
            paramLabel = "CLASS",
            converter = Numbers.CountOrNone.class,
            description = "Storage class of the blocks. Default: the place of the tier in crail.storage.types.")
    private Integer storageClass;

    @Parameters(paramLabel = TIER_OPTION, arity = "0..*", description = "Options of the tier, after --.")
    private List<String> tierArguments = List.of();

    /** Makes the command. */
    public DatanodeCommand(CliContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws Exception {
        CrailConfiguration conf = context.configuration();
        context.warn(conf);
        Banner.log("datanode", conf);
        Datanode datanode =
                Datanode.start(conf, tierClass, storageClass == null ? FROM_TIER : storageClass, tierArguments);
        RunningServer.untilStopped("datanode", datanode.info().address(), datanode, datanode.replaced());
        if (datanode.replaced().isDone()) {
            throw datanode.replaced().join();
        }
        return ExitCode.OK;
    }
}
