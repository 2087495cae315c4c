/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.util.List;
import java.util.Locale;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.cli.context.CliContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code crail fs -mkdir}. Used by one thread. */
@Command(name = "mkdir", aliases = "-mkdir", description = "Create directories, or containers of another type.")
final class MkdirCommand extends FsSubcommand {
    /** What can be created. */
    enum Container {
        DIRECTORY,
        MULTIFILE,
        TABLE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(names = "-p", description = "Create what is missing above, too; an existing directory is no failure.")
    private boolean parents;

    @Option(
            names = "--type",
            paramLabel = "TYPE",
            defaultValue = "directory",
            description = "Type of the container: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private Container type;

    @Parameters(paramLabel = "PATH", arity = "1..*", description = "Containers to create.")
    private List<String> paths;

    MkdirCommand(CliContext context) {
        super(context);
    }

    @Override
    void run(Trees trees) throws Exception {
        forEach(trees, paths, target -> {
            NamespaceTree tree = target.tree();
            CrailPath path = target.path();
            if (parents) {
                tree.makeDirectories(type == Container.DIRECTORY ? path : path.parent());
            }
            if (!parents || type != Container.DIRECTORY) {
                CrailNode ignored = tree.create(path, CrailNodeType.valueOf(type.name()));
            }
        });
    }
}
