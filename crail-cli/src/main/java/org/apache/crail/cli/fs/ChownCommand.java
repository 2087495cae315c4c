/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.util.List;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.metadata.StatusChange;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code crail fs -chown}. Used by one thread. */
@Command(
        name = "chown",
        aliases = "-chown",
        description = "Set owners and groups, which are kept and shown, and not enforced.")
final class ChownCommand extends FsSubcommand {
    @Option(names = "-R", description = "Also of all that is below.")
    private boolean recursive;

    @Parameters(index = "0", paramLabel = "OWNER[:GROUP]", description = "OWNER, OWNER:GROUP or :GROUP.")
    private String owner;

    @Parameters(index = "1..*", paramLabel = "PATH", arity = "1..*", description = "Nodes.")
    private List<String> paths;

    ChownCommand(CliContext context) {
        super(context);
    }

    @Override
    void run(Trees trees) throws Exception {
        int colon = owner.indexOf(':');
        String user = colon < 0 ? owner : owner.substring(0, colon);
        String group = colon < 0 ? "" : owner.substring(colon + 1);
        if (user.isEmpty() && group.isEmpty()) {
            throw new ParameterException(
                    spec().commandLine(), "\"" + owner + "\" names nobody; use OWNER, OWNER:GROUP or :GROUP");
        }
        StatusChange change = StatusChange.ofOwner(user.isEmpty() ? null : user, group.isEmpty() ? null : group);
        changeEach(trees, paths, recursive, status -> change);
    }
}
