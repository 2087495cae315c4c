/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.conf;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.crail.error.ConfigurationException;
import picocli.CommandLine.Option;

/** Which slaves file a command reads. Filled by the parser. */
final class SlavesOption {
    @Option(
            names = "--slaves",
            paramLabel = "FILE",
            description = "Read this slaves file, not $CRAIL_HOME/conf/slaves.")
    private Path file;

    /** The file, which is there. */
    Path path() throws ConfigurationException {
        String home = System.getenv("CRAIL_HOME");
        if (file == null && home == null) {
            throw new ConfigurationException(
                    "CRAIL_HOME is not set, so there is no conf/slaves; name a file with --slaves");
        }
        Path path = file == null ? Path.of(home, "conf", "slaves") : file;
        if (!Files.isReadable(path)) {
            throw new ConfigurationException("the slaves file " + path
                    + " is not there or may not be read; write one (a host per line), or name another with --slaves");
        }
        return path;
    }
}
