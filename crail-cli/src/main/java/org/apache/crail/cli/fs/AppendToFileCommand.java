/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailNodeType;
import org.apache.crail.cli.context.CliContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code crail fs -appendToFile}. Used by one thread. */
@Command(
        name = "appendToFile",
        aliases = "-appendToFile",
        description = "Append local files to a file of the store, which is created if it is missing.")
final class AppendToFileCommand extends FsSubcommand {
    private static final String STANDARD_INPUT = "-";

    @Parameters(
            paramLabel = "LOCAL... PATH",
            hideParamSyntax = true,
            arity = "2..*",
            description = "Local files, - for standard input; the last is the file in the store.")
    private List<String> arguments;

    AppendToFileCommand(CliContext context) {
        super(context);
    }

    @Override
    void run(Trees trees) throws Exception {
        int last = arguments.size() - 1;
        for (String source : arguments.subList(0, last)) {
            if (!source.equals(STANDARD_INPUT) && !Files.exists(Path.of(source))) {
                throw new NoSuchFileException(source); // before anything is appended
            }
        }
        RemotePath target = trees.target(arguments.get(last));
        CrailNode node = target.find();
        CrailFile file =
                NamespaceTree.file(node == null ? target.tree().create(target.path(), CrailNodeType.DATAFILE) : node);
        for (String source : arguments.subList(0, last)) {
            try (ReadableByteChannel in = open(source)) {
                new ChannelToFile(target.tree().store(), FileToChannel.DEFAULT_WINDOW, bytes -> {}).append(in, file);
            }
        }
    }

    private ReadableByteChannel open(String source) throws Exception {
        return source.equals(STANDARD_INPUT) ? Channels.newChannel(console().in()) : FileChannel.open(Path.of(source));
    }
}
