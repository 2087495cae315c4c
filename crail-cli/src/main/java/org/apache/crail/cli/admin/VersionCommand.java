/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.admin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import java.util.concurrent.Callable;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.rpc.message.HelloRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IVersionProvider;

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
    public Integer call() {
        for (String line : new Provider().getVersion()) {
            context.console().line(line);
        }
        return ExitCode.OK;
    }

    /** The version of this release. */
    public static String version() {
        Properties properties = new Properties();
        try (InputStream in = VersionCommand.class.getResourceAsStream(RESOURCE)) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(RESOURCE + " cannot be read", e);
        }
        return properties.getProperty("version");
    }

    /** The text, for {@code crail --version} too. Thread safe. */
    public static final class Provider implements IVersionProvider {
        /** For the parser. */
        public Provider() {}

        @Override
        public String[] getVersion() {
            return new String[] {
                "Crail " + version(),
                "metadata protocol " + HelloRequest.VERSION,
                "Java " + Runtime.version() + ", " + System.getProperty("java.vendor") + ", "
                        + System.getProperty("os.name") + " " + System.getProperty("os.arch")
            };
        }
    }
}
