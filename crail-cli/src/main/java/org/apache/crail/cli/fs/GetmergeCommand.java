/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.apache.crail.CrailFile;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.metadata.NodeStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code crail fs -getmerge}. Used by one thread. */
@Command(
        name = "getmerge",
        aliases = "-getmerge",
        description = "Fetch files, and the files in directories by name, as one local file, which is replaced.")
final class GetmergeCommand extends FsSubcommand {
    @Option(names = "-nl", description = "End each file with a newline.")
    private boolean newline;

    @Option(names = "-skip-empty-file", description = "Add no newline for files without bytes.")
    private boolean skipEmpty;

    @Parameters(
            paramLabel = "PATH... LOCAL",
            hideParamSyntax = true,
            arity = "2..*",
            description = "Files and directories in the store; the last is the local file.")
    private List<String> arguments;

    GetmergeCommand(CliContext context) {
        super(context);
    }

    @Override
    void run(Trees trees) throws Exception {
        int last = arguments.size() - 1;
        List<RemotePath> files = new ArrayList<>();
        for (String text : arguments.subList(0, last)) {
            for (RemotePath path : trees.expand(text)) {
                addFiles(path, path.status(), files);
            }
        }
        Path target = Path.of(arguments.get(last));
        Path unfinished = InterimName.beside(target);
        try {
            try (FileChannel out = Download.create(unfinished, target)) {
                for (RemotePath file : files) {
                    append(file, out);
                }
            }
            Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    private static void addFiles(RemotePath path, NodeStatus status, List<RemotePath> files) throws Exception {
        if (!status.file().getType().isContainer()) {
            files.add(path);
            return;
        }
        for (NodeStatus child : path.tree().statuses(path.path())) {
            if (!child.file().getType().isContainer()) {
                files.add(path.child(child.name()));
            }
        }
    }

    private void append(RemotePath path, WritableByteChannel out) throws Exception {
        CrailFile file = NamespaceTree.file(path.require());
        new FileToChannel(path.tree().store(), FileToChannel.DEFAULT_WINDOW, bytes -> {}).copy(file, 0, out);
        if (newline && !(skipEmpty && file.getCapacity() == 0)) {
            int ignored = out.write(ByteBuffer.wrap(new byte[] {'\n'}));
        }
    }
}
