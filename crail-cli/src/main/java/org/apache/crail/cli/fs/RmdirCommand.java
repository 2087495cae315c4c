/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.crail.CrailNode;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.error.NodeTypeMismatchException;
import org.apache.crail.error.NotEmptyException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code crail fs -rmdir}. Used by one thread. */
@Command(name = "rmdir", aliases = "-rmdir", description = "Delete empty containers.")
final class RmdirCommand extends FsSubcommand {
    @Option(names = "--ignore-fail-on-non-empty", description = "A container that is not empty is no failure.")
    private boolean ignoreNonEmpty;

    @Parameters(paramLabel = "PATH", arity = "1..*", description = "Containers to delete.")
    private List<String> paths;

    RmdirCommand(CliContext context) {
        super(context);
    }

    @Override
    void run(Trees trees) throws Exception {
        forEach(trees, paths, this::remove);
    }

    private void remove(RemotePath path) throws Exception {
        CrailNode node = path.require();
        if (!node.getType().isContainer()) {
            throw new NodeTypeMismatchException(
                    path + " is a " + NamespaceTree.label(node.getType()) + " and no directory; use -rm");
        }
        try {
            CrailNode ignored =
                    path.tree().store().delete(path.path().toString(), false).get();
        } catch (ExecutionException e) {
            if (!ignoreNonEmpty || !(e.getCause() instanceof NotEmptyException)) {
                throw e;
            }
        }
    }
}
