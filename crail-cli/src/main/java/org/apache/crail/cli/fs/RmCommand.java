/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.util.List;
import org.apache.crail.CrailNode;
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
    void run(Trees trees) throws Exception {
        for (String text : paths) {
            attempt(text, () -> forEach(force ? trees.matches(text) : trees.expand(text), this::remove));
        }
    }

    private void remove(RemotePath path) throws Exception {
        CrailNode node = force ? path.find() : path.require();
        if (node == null) {
            return;
        }
        if (node.getType().isContainer() && !recursive) {
            throw new NodeTypeMismatchException(
                    path + " is a " + NamespaceTree.label(node.getType()) + " and is not deleted; use -rm -r");
        }
        CrailNode deleted =
                path.tree().store().delete(path.path().toString(), recursive).get();
        if (deleted != null) {
            console().line("Deleted " + path);
        }
    }
}
