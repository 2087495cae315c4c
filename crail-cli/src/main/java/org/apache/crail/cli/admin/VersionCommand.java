/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.admin;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import java.util.concurrent.Callable;
import org.apache.crail.cli.CliContext;
import org.apache.crail.rpc.message.HelloRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;

/** {@code crail version}. Used by one thread. */
@Command(name = "version", description = "Show the versions of this release, its protocol and the JVM.")
public final class VersionCommand implements Callable<Integer> {
    private static final String RESOURCE = "/org/apache/crail/cli/version.properties";

    private final CliContext context;

    /** Makes the command. */
    public VersionCommand(CliContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        Properties properties = new Properties();
        try (InputStream in = VersionCommand.class.getResourceAsStream(RESOURCE)) {
            properties.load(in);
        }
        context.console().line("Crail " + properties.getProperty("version"));
        context.console().line("metadata protocol " + HelloRequest.VERSION);
        context.console()
                .line("Java " + Runtime.version() + ", " + System.getProperty("java.vendor") + ", "
                        + System.getProperty("os.name") + " " + System.getProperty("os.arch"));
        return ExitCode.OK;
    }
}
