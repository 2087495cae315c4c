/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailPath;
import org.apache.crail.cli.console.Progress;
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
    void run(NamespaceTree tree) throws Exception {
        List<String> sources = arguments.subList(0, arguments.size() - 1);
        String target = arguments.get(arguments.size() - 1);
        if (target.equals(STANDARD_OUTPUT)) {
            FileToChannel reader = new FileToChannel(tree.store(), options.slices(), bytes -> {});
            forEach(
                    sources,
                    source -> reader.copy(
                            NamespaceTree.file(tree.require(source)),
                            0,
                            console().outChannel()));
            console().out().flush();
            return;
        }
        copy(tree, sources, target);
    }

    private void copy(NamespaceTree tree, List<String> sources, String named) throws Exception {
        Path target = Path.of(named);
        boolean into = Files.isDirectory(target);
        Path directory = sources.size() > 1 || named.endsWith("/")
                ? target
                : target.toAbsolutePath().getParent();
        if (!into && directory != null && !Files.isDirectory(directory)) {
            throw new IOException(
                    "local path " + directory + " is no directory that exists; create it, or choose another path");
        }
        try (Progress progress = Progress.start(console(), !options.quiet())) {
            CopyPool pool = new CopyPool(this, options.threads());
            try {
                Download download = new Download(tree, pool, progress, options);
                forEach(sources, source -> {
                    CrailNode node = tree.require(source);
                    String name = CrailPath.parse(node.getPath()).name();
                    download.tree(node, into && !name.isEmpty() ? target.resolve(name) : target);
                });
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // so that the pool ends what it has begun, too
                throw e;
            } finally {
                pool.finish();
            }
        }
    }
}
