/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailPath;
import org.apache.crail.cli.console.Progress;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.error.NodeTypeMismatchException;
import org.apache.crail.error.ParentNotFoundException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code crail fs -put}. Used by one thread. */
@Command(
        name = "put",
        aliases = {"-put", "copyFromLocal", "-copyFromLocal"},
        description = "Copy local files, and directories with all that is below, into the store.")
final class PutCommand extends FsSubcommand {
    private static final String STANDARD_INPUT = "-";

    @Mixin
    private CopyOptions options;

    @Parameters(
            paramLabel = "LOCAL... PATH",
            hideParamSyntax = true,
            arity = "2..*",
            description =
                    "Local files and directories, - for standard input; the last is the path in the store: the new"
                            + " name, or a directory to copy into.")
    private List<String> arguments;

    PutCommand(CliContext context) {
        super(context);
    }

    @Override
    void run(NamespaceTree tree) throws Exception {
        List<String> sources = arguments.subList(0, arguments.size() - 1);
        String target = arguments.get(arguments.size() - 1);
        CrailNode directory = directory(tree, target);
        if (directory == null && sources.size() > 1) {
            throw new NodeTypeMismatchException(
                    target + " is no directory; several files can only be copied into one that exists");
        }
        if (directory == null && target.endsWith("/") && !Files.isDirectory(Path.of(sources.get(0)))) {
            throw new ParentNotFoundException(
                    target
                            + " is no directory that exists; create it with crail fs -mkdir -p, or leave the last / out to name a file");
        }
        try (Progress progress = Progress.start(console(), !options.quiet())) {
            CopyPool pool = new CopyPool(this, options.threads());
            try {
                Upload upload = new Upload(tree, pool, progress, options);
                forEach(sources, source -> put(upload, source, tree.path(target), directory != null));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // so that the pool ends what it has begun, too
                throw e;
            } finally {
                pool.finish();
            }
        }
    }

    /** The container that is copied into, or null if the target is to be the new name. */
    private static CrailNode directory(NamespaceTree tree, String target) throws Exception {
        CrailNode node = tree.find(tree.path(target));
        return node != null && node.getType().isContainer() ? node : null;
    }

    private void put(Upload upload, String source, CrailPath target, boolean into) throws Exception {
        if (source.equals(STANDARD_INPUT)) {
            if (into) {
                throw new ParameterException(
                        spec().commandLine(), target + " is a directory; name the file that standard input goes to");
            }
            upload.stream(Channels.newChannel(console().in()), target);
            return;
        }
        Path local = Path.of(source);
        if (!Files.exists(local)) {
            throw new NoSuchFileException(source);
        }
        Path name = local.toAbsolutePath().normalize().getFileName();
        upload.tree(local, into && name != null ? target.child(LocalNames.of(name)) : target);
    }
}
