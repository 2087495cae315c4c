/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.util.List;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.metadata.StatusChange;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code crail fs -chmod}. Used by one thread. */
@Command(
        name = "chmod",
        aliases = "-chmod",
        description = "Set permissions, which are kept and shown, and not enforced.")
final class ChmodCommand extends FsSubcommand {
    @Option(names = "-R", description = "Also of all that is below.")
    private boolean recursive;

    @Parameters(index = "0", paramLabel = "MODE", description = "As 750 or u+rwx,g=rx,o-w.")
    private String mode;

    @Parameters(index = "1..*", paramLabel = "PATH", arity = "1..*", description = "Nodes.")
    private List<String> paths;

    ChmodCommand(CliContext context) {
        super(context);
    }

    @Override
    void run(Trees trees) throws Exception {
        Mode change = Mode.parse(mode);
        if (change == null) {
            throw new ParameterException(
                    spec().commandLine(), "MODE \"" + mode + "\" is neither octal, as 750, nor like u+rwx,g=rx,o-w");
        }
        changeEach(
                trees,
                paths,
                recursive,
                status -> StatusChange.ofPermission(change.applyTo(
                        status.ownership().permission(), status.file().getType().isContainer())));
    }
}
