/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.util.List;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailPath;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.error.NodeTypeMismatchException;
import org.apache.crail.metadata.MoveMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code crail fs -mv}. Used by one thread. */
@Command(name = "mv", aliases = "-mv", description = "Move nodes to another path, or into a directory.")
final class MvCommand extends FsSubcommand {
    @Parameters(index = "0", paramLabel = "SOURCE", arity = "1", description = "What to move.")
    private String first;

    @Parameters(
            index = "1..*",
            paramLabel = "TARGET",
            arity = "1..*",
            description = "Further sources, and last the new path, or the directory to move into.")
    private List<String> rest;

    MvCommand(CliContext context) {
        super(context);
    }

    @Override
    void run(NamespaceTree tree) throws Exception {
        String target = rest.get(rest.size() - 1);
        if (rest.size() == 1) {
            attempt(first, () -> move(tree, first, target));
            return;
        }
        CrailNode directory = tree.require(target);
        if (!directory.getType().isContainer()) {
            throw new NodeTypeMismatchException(target + " is no directory; several nodes can only move into one");
        }
        attempt(first, () -> move(tree, first, target));
        forEach(rest.subList(0, rest.size() - 1), source -> move(tree, source, target));
    }

    private static void move(NamespaceTree tree, String source, String target) throws Exception {
        CrailPath from = tree.path(source);
        CrailPath to = tree.path(target);
        CrailNode ignored = tree.store()
                .namespace()
                .move(from.toString(), to.toString(), MoveMode.INTO)
                .get();
    }
}
