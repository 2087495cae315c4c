/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.util.List;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.metadata.StatusChange;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code crail fs -chgrp}. Used by one thread. */
@Command(name = "chgrp", aliases = "-chgrp", description = "Set groups, which are kept and shown, and not enforced.")
final class ChgrpCommand extends FsSubcommand {
    @Option(names = "-R", description = "Also of all that is below.")
    private boolean recursive;

    @Parameters(index = "0", paramLabel = "GROUP", description = "The group.")
    private String group;

    @Parameters(index = "1..*", paramLabel = "PATH", arity = "1..*", description = "Nodes.")
    private List<String> paths;

    ChgrpCommand(CliContext context) {
        super(context);
    }

    @Override
    void run(Trees trees) throws Exception {
        StatusChange change = StatusChange.ofOwner(null, group);
        changeEach(trees, paths, recursive, status -> change);
    }
}
