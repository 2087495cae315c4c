/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.util.List;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.error.InvalidMoveException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code crail fs -cp}. Used by one thread. */
@Command(
        name = "cp",
        aliases = "-cp",
        description = "Copy files, and containers with all that is below, also from one store to another.")
final class CpCommand extends FsSubcommand {
    @Mixin
    private CopyOptions options;

    @Option(names = "-p", description = "Keep owner, group, permission, times, and when they go by themselves.")
    private boolean preserve;

    @Parameters(
            paramLabel = "SOURCE... TARGET",
            hideParamSyntax = true,
            arity = "2..*",
            description = "What to copy; the last is the new path, or the directory to copy into.")
    private List<String> arguments;

    CpCommand(CliContext context) {
        super(context);
    }

    @Override
    void run(Trees trees) throws Exception {
        Sources sources = Sources.of(this, trees, arguments);
        CopyPool.copy(this, options, (pool, progress) -> {
            StoreCopy copy = new StoreCopy(
                    pool, progress, options, preserve, sources.target().tree());
            forEach(sources.paths(), source -> {
                RemotePath target =
                        sources.target().into(sources.into(), source.path().name());
                check(source, target);
                copy.tree(source, source.status(), target.path());
            });
        });
    }

    private static void check(RemotePath source, RemotePath target) throws InvalidMoveException {
        if (source.tree() == target.tree()
                && (target.path().equals(source.path()) || target.path().isBelow(source.path()))) {
            throw new InvalidMoveException(
                    "cannot copy " + source + " to " + target + ", which is itself or below it; choose another path");
        }
    }
}
