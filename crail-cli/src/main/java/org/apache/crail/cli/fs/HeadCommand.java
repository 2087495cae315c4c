/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import org.apache.crail.CrailFile;
import org.apache.crail.cli.context.CliContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code crail fs -head}. Used by one thread. */
@Command(name = "head", aliases = "-head", description = "Write the first kilobyte of a file to standard output.")
final class HeadCommand extends FsSubcommand {
    private static final long BYTES = 1024;

    @Parameters(paramLabel = "PATH", description = "The file.")
    private String path;

    HeadCommand(CliContext context) {
        super(context);
    }

    @Override
    void run(Trees trees) throws Exception {
        RemotePath target = trees.target(path);
        CrailFile file = NamespaceTree.file(target.require());
        new FileToChannel(target.tree().store(), 1, count -> {})
                .copy(file, 0, BYTES, console().outChannel());
        console().out().flush();
    }
}
