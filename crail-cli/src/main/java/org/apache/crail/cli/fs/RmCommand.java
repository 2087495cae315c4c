/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.util.List;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailPath;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.error.NodeTypeMismatchException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code crail fs -rm}. Used by one thread. */
@Command(name = "rm", aliases = "-rm", description = "Delete files, and with -r directories with all that is below.")
final class RmCommand extends FsSubcommand {
    @Option(
            names = {"-r", "-R"},
            description = "Delete containers with all that is below.")
    private boolean recursive;

    @Option(names = "-f", description = "A path that does not exist is no failure.")
    private boolean force;

    @Option(names = "-skipTrash", hidden = true, description = "There is no trash; accepted because hadoop fs has it.")
    @SuppressWarnings("unused")
    private boolean skipTrash;

    @Parameters(paramLabel = "PATH", arity = "1..*", description = "What to delete.")
    private List<String> paths;

    RmCommand(CliContext context) {
        super(context);
    }

    @Override
    void run(NamespaceTree tree) throws Exception {
        forEach(paths, text -> remove(tree, text));
    }

    private void remove(NamespaceTree tree, String text) throws Exception {
        CrailPath path = tree.path(text);
        CrailNode node = force ? tree.find(path) : tree.require(text);
        if (node == null) {
            return;
        }
        if (node.getType().isContainer() && !recursive) {
            throw new NodeTypeMismatchException(
                    path + " is a " + NamespaceTree.label(node.getType()) + " and is not deleted; use -rm -r");
        }
        CrailNode deleted = tree.store().delete(path.toString(), recursive).get();
        if (deleted != null) {
            console().line("Deleted " + path);
        }
    }
}
