/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.util.List;
import org.apache.crail.CrailNodeType;
import org.apache.crail.cli.console.Sizes;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.metadata.NodeStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code crail fs -ls}. Used by one thread. */
@Command(
        name = "ls",
        aliases = "-ls",
        description = "List nodes: type and permissions, copies, owner, group, bytes, time of change, path.")
final class LsCommand extends FsSubcommand {
    @Option(names = "-R", description = "List what is below directories, too.")
    private boolean recursive;

    @Option(names = "-d", description = "List a directory itself, not what is in it.")
    private boolean directoriesAsNodes;

    @Option(names = "-C", description = "Show paths only.")
    private boolean pathsOnly;

    @Option(
            names = {"-h", "--human"},
            description = "Show sizes with a unit.")
    private boolean human;

    @Parameters(paramLabel = "PATH", arity = "0..*", description = "Nodes to list; / if none is named.")
    private List<String> paths = List.of("/");

    LsCommand(CliContext context) {
        super(context);
    }

    @Override
    void run(Trees trees) throws Exception {
        NodeLine line = pathsOnly ? (path, status) -> path.toString() : this::longLine;
        forEach(trees, paths, path -> list(path, path.status(), line));
    }

    private void list(RemotePath path, NodeStatus status, NodeLine line) throws Exception {
        if (directoriesAsNodes || !status.file().getType().isContainer()) {
            console().line(line.of(path, status));
            return;
        }
        List<NodeStatus> children = path.tree().statuses(path.path());
        if (!recursive && !pathsOnly && !children.isEmpty()) {
            console().line("Found " + children.size() + " items");
        }
        for (NodeStatus child : children) {
            RemotePath childPath = path.child(child.name());
            console().line(line.of(childPath, child));
            if (recursive && child.file().getType().isContainer()) {
                list(childPath, child, line);
            }
        }
    }

    /** A node as text. */
    private interface NodeLine {
        String of(RemotePath path, NodeStatus status);
    }

    /** The eight columns of hadoop fs; each block has one copy. */
    private String longLine(RemotePath path, NodeStatus status) {
        CrailNodeType type = status.file().getType();
        long bytes = type.isContainer() ? 0 : status.file().getCapacity();
        return String.format(
                "%s%s %3s %s %s %12s %s %s",
                NodeText.letter(type),
                NodeText.permission(status.ownership().permission()),
                type.isContainer() ? "-" : "1",
                NodeText.name(status.ownership().owner()),
                NodeText.name(status.ownership().group()),
                human ? Sizes.human(bytes) : Long.toString(bytes),
                NodeText.time(status.file().getModificationTime()),
                path);
    }
}
