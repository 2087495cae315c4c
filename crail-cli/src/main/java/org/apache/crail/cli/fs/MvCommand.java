/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.util.List;
import org.apache.crail.CrailNode;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.error.InvalidMoveException;
import org.apache.crail.metadata.MoveMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code crail fs -mv}. Used by one thread. */
@Command(name = "mv", aliases = "-mv", description = "Move nodes to another path, or into a directory.")
final class MvCommand extends FsSubcommand {
    @Parameters(
            paramLabel = "SOURCE... TARGET",
            hideParamSyntax = true,
            arity = "2..*",
            description = "What to move; the last is the new path, or the directory to move into.")
    private List<String> arguments;

    MvCommand(CliContext context) {
        super(context);
    }

    @Override
    void run(Trees trees) throws Exception {
        Sources sources = Sources.of(this, trees, arguments);
        forEach(sources.paths(), source -> move(source, sources.target()));
    }

    private static void move(RemotePath source, RemotePath target) throws Exception {
        if (source.tree() != target.tree()) {
            throw new InvalidMoveException(
                    source + " is in another store than " + target + "; use -cp, and -rm when the copy is there");
        }
        CrailNode ignored = source.tree()
                .store()
                .namespace()
                .move(source.path().toString(), target.path().toString(), MoveMode.INTO)
                .get();
    }
}
