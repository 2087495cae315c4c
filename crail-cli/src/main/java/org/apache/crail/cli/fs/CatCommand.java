/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.nio.channels.WritableByteChannel;
import java.util.List;
import org.apache.crail.CrailNode;
import org.apache.crail.cli.context.CliContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code crail fs -cat}. Used by one thread. */
@Command(
        name = "cat",
        aliases = "-cat",
        description = "Write the bytes of files and key-values to standard output; of a multifile, those of its files.")
final class CatCommand extends FsSubcommand {
    @Parameters(paramLabel = "PATH", arity = "1..*", description = "What to write.")
    private List<String> paths;

    CatCommand(CliContext context) {
        super(context);
    }

    @Override
    void run(Trees trees) throws Exception {
        WritableByteChannel out = console().outChannel();
        forEach(trees, paths, path -> cat(path, out));
        console().out().flush();
    }

    private static void cat(RemotePath path, WritableByteChannel out) throws Exception {
        CrailNode node = path.require();
        FileToChannel reader = new FileToChannel(path.tree().store(), FileToChannel.DEFAULT_WINDOW, bytes -> {});
        if (!node.getType().isMultiFile()) {
            reader.copy(NamespaceTree.file(node), 0, out);
            return;
        }
        for (CrailNode part : path.tree().children(node)) {
            reader.copy(NamespaceTree.file(part), 0, out);
        }
    }
}
