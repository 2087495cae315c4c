/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.util.List;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailPath;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.error.NodeExistsException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code crail fs -touchz}. Used by one thread. */
@Command(name = "touchz", aliases = "-touchz", description = "Create empty files; an empty file that exists is left.")
final class TouchzCommand extends FsSubcommand {
    @Parameters(paramLabel = "PATH", arity = "1..*", description = "Files to create.")
    private List<String> paths;

    TouchzCommand(CliContext context) {
        super(context);
    }

    @Override
    void run(Trees trees) throws Exception {
        forEach(trees, paths, path -> touch(path.tree(), path.path()));
    }

    private static void touch(NamespaceTree tree, CrailPath path) throws Exception {
        CrailNode existing = tree.find(path);
        if (existing == null) {
            tree.create(path, CrailNodeType.DATAFILE)
                    .asFile()
                    .getDirectOutputStream(0)
                    .close();
        } else if (!existing.getType().isDataFile() || existing.getCapacity() > 0) {
            throw new NodeExistsException(
                    path + " exists and is not an empty file; delete it first, or choose another path");
        }
    }
}
