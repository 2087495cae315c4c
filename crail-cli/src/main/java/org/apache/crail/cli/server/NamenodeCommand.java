/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.server;

import java.util.concurrent.Callable;
import org.apache.crail.cli.console.Numbers;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.internal.HostPort;
import org.apache.crail.namenode.Namenode;
import org.apache.crail.namenode.NamenodeOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** {@code crail namenode}. Used by one thread. */
@Command(name = "namenode", description = "Run a namenode until it is stopped with SIGTERM or Ctrl-C.")
public final class NamenodeCommand implements Callable<Integer> {
    private final CliContext context;

    @Option(
            names = "-a",
            paramLabel = "ADDRESS",
            description = "Host name or address to listen on. Default: crail.namenode.bind, or the host in"
                    + " crail.namenode.address.")
    private String host;

    @Option(
            names = "-p",
            paramLabel = "PORT",
            converter = Numbers.Port.class,
            description = "Port to listen on, 0 for any free one. Default: the port in crail.namenode.address.")
    private Integer port;

    /** Makes the command. */
    public NamenodeCommand(CliContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws Exception {
        CrailConfiguration conf = context.configuration();
        context.warn(conf);
        Banner.log("namenode", conf);
        NamenodeOptions options = new NamenodeOptions(host, port == null ? NamenodeOptions.CONFIGURED : port);
        Namenode namenode = Namenode.start(conf, options);
        LastWords.endInDoubt(namenode);
        RunningServer.untilStopped("namenode", HostPort.text(namenode.address()), namenode);
        return ExitCode.OK;
    }
}
