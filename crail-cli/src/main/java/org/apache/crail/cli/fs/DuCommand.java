/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.util.List;
import org.apache.crail.CrailNode;
import org.apache.crail.cli.console.Sizes;
import org.apache.crail.cli.context.CliContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code crail fs -du}. Used by one thread. */
@Command(name = "du", aliases = "-du", description = "Show how many bytes the files of a tree hold.")
final class DuCommand extends FsSubcommand {
    @Option(names = "-s", description = "Show one sum for each path, not one for each child.")
    private boolean summary;

    @Option(
            names = {"-h", "--human"},
            description = "Show sizes with a unit.")
    private boolean human;

    @Parameters(paramLabel = "PATH", arity = "0..*", description = "Trees to add up; / if none is named.")
    private List<String> paths = List.of("/");

    DuCommand(CliContext context) {
        super(context);
    }

    @Override
    void run(NamespaceTree tree) throws Exception {
        forEach(paths, path -> show(tree, tree.require(path)));
    }

    private void show(NamespaceTree tree, CrailNode node) throws Exception {
        if (summary || !node.getType().isContainer()) {
            print(tree, node);
            return;
        }
        for (CrailNode child : tree.children(node)) {
            print(tree, child);
        }
    }

    private void print(NamespaceTree tree, CrailNode node) throws Exception {
        long bytes = bytes(tree, node);
        console().linef("%-12s %s", human ? Sizes.human(bytes) : Long.toString(bytes), node.getPath());
    }

    private static long bytes(NamespaceTree tree, CrailNode node) throws Exception {
        if (!node.getType().isContainer()) {
            return node.getCapacity();
        }
        long sum = 0;
        for (CrailNode child : tree.children(node)) {
            sum += bytes(tree, child);
        }
        return sum;
    }
}
