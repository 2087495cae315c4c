/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
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
    void run(Trees trees) throws Exception {
        List<String> sources = arguments.subList(0, arguments.size() - 1);
        String named = arguments.get(arguments.size() - 1);
        RemotePath target = trees.target(named);
        boolean into = Sources.isContainer(target);
        if (!into && sources.size() > 1) {
            throw new NodeTypeMismatchException(
                    target + " is no directory; several files can only be copied into one that exists");
        }
        if (!into && named.endsWith("/") && !Files.isDirectory(Path.of(sources.get(0)))) {
            throw new ParentNotFoundException(named + " is no directory that exists; create it with crail fs -mkdir -p,"
                    + " or leave the last / out to name a file");
        }
        CopyPool.copy(this, options, (pool, progress) -> {
            Upload upload = new Upload(target.tree(), pool, progress, options);
            for (String source : sources) {
                pool.attempt(source, () -> put(upload, source, target, into));
            }
        });
    }

    private void put(Upload upload, String source, RemotePath target, boolean into) throws Exception {
        if (source.equals(STANDARD_INPUT)) {
            if (into) {
                throw new ParameterException(
                        spec().commandLine(), target + " is a directory; name the file that standard input goes to");
            }
            upload.stream(Channels.newChannel(console().in()), target.path());
            return;
        }
        Path local = Path.of(source);
        if (!Files.exists(local)) {
            throw new NoSuchFileException(source);
        }
        Path name = local.toAbsolutePath().normalize().getFileName();
        upload.tree(
                local,
                target.into(into && name != null, name == null ? "" : LocalNames.of(name))
                        .path());
    }
}
