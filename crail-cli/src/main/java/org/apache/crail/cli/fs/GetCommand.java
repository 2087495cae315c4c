/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.crail.cli.context.CliContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code crail fs -get}. Used by one thread. */
@Command(
        name = "get",
        aliases = {"-get", "copyToLocal", "-copyToLocal"},
        description = "Copy files, and containers with all that is below, out of the store.")
final class GetCommand extends FsSubcommand {
    private static final String STANDARD_OUTPUT = "-";

    @Mixin
    private CopyOptions options;

    @Parameters(
            paramLabel = "PATH... LOCAL",
            hideParamSyntax = true,
            arity = "2..*",
            description = "Paths in the store; the last is the local path: the new name, a directory to copy into, or -"
                    + " for standard output.")
    private List<String> arguments;

    GetCommand(CliContext context) {
        super(context);
    }

    @Override
    void run(Trees trees) throws Exception {
        List<RemotePath> sources = expand(trees, arguments.subList(0, arguments.size() - 1));
        String target = arguments.get(arguments.size() - 1);
        if (target.equals(STANDARD_OUTPUT)) {
            forEach(sources, source -> new FileToChannel(source.tree().store(), options.slices(), bytes -> {})
                    .copy(NamespaceTree.file(source.require()), 0, console().outChannel()));
            console().out().flush();
            return;
        }
        copy(sources, target);
    }

    private void copy(List<RemotePath> sources, String named) throws Exception {
        Path target = Path.of(named);
        boolean into = Files.isDirectory(target);
        Path directory = sources.size() > 1 || named.endsWith("/")
                ? target
                : target.toAbsolutePath().getParent();
        if (!into && directory != null && !Files.isDirectory(directory)) {
            throw new IOException(
                    "local path " + directory + " is no directory that exists; create it, or choose another path");
        }
        CopyPool.copy(this, options, (pool, progress) -> {
            Download download = new Download(pool, progress, options);
            forEach(sources, source -> {
                String name = source.path().name();
                download.tree(
                        source, source.status(), into && !name.isEmpty() ? LocalNames.resolve(target, name) : target);
            });
        });
    }
}
