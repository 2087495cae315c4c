/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.admin;

import java.util.concurrent.Callable;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.cli.context.Namenodes;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.rpc.message.ForgetRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Parameters;

/** {@code crail forget}. Used by one thread. */
@Command(
        name = "forget",
        description = "Give up a datanode that is silent or stopped: what it holds is lost, and its address is free.")
public final class ForgetCommand implements Callable<Integer> {
    private final CliContext context;

    @Parameters(
            paramLabel = "DATANODE",
            description = "HOST:PORT, and in quotes whatever else crail report shows behind it.")
    private String datanode;

    /** Makes the command. */
    public ForgetCommand(CliContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws Exception {
        CrailConfiguration conf = context.configuration();
        context.warn(conf);
        long lost = 0;
        try (Namenodes namenodes = Namenodes.connect(conf)) {
            for (Namenodes.Namenode namenode : namenodes.all()) {
                lost += namenode.call(new ForgetRequest(datanode)).lostBlocks();
            }
        }
        context.console().linef("datanode %s is forgotten; blocks in use that are lost: %d", datanode, lost);
        return ExitCode.OK;
    }
}
