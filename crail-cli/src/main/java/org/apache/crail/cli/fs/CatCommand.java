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
    void run(NamespaceTree tree) throws Exception {
        WritableByteChannel out = console().outChannel();
        FileToChannel reader = new FileToChannel(tree.store(), FileToChannel.DEFAULT_WINDOW, bytes -> {});
        forEach(paths, path -> cat(tree, tree.require(path), reader, out));
        console().out().flush();
    }

    private static void cat(NamespaceTree tree, CrailNode node, FileToChannel reader, WritableByteChannel out)
            throws Exception {
        if (!node.getType().isMultiFile()) {
            reader.copy(NamespaceTree.file(node), 0, out);
            return;
        }
        for (CrailNode part : tree.children(node)) {
            reader.copy(NamespaceTree.file(part), 0, out);
        }
    }
}
