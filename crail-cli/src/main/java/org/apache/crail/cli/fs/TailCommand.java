/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import org.apache.crail.CrailFile;
import org.apache.crail.cli.console.Sizes;
import org.apache.crail.cli.context.CliContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code crail fs -tail}. Used by one thread. */
@Command(name = "tail", aliases = "-tail", description = "Write the last kilobyte of a file to standard output.")
final class TailCommand extends FsSubcommand {
    @Option(
            names = {"-c", "--bytes"},
            paramLabel = "BYTES",
            defaultValue = "1k",
            converter = Sizes.class,
            description = "How many bytes, e.g. 64k. Default: ${DEFAULT-VALUE}.")
    private long bytes;

    @Parameters(paramLabel = "PATH", description = "The file.")
    private String path;

    TailCommand(CliContext context) {
        super(context);
    }

    @Override
    void run(Trees trees) throws Exception {
        RemotePath target = trees.target(path);
        CrailFile file = NamespaceTree.file(target.require());
        new FileToChannel(target.tree().store(), 1, count -> {})
                .copy(file, Math.max(0, file.getCapacity() - bytes), console().outChannel());
        console().out().flush();
    }
}
