/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.util.List;
import java.util.function.Supplier;
import org.apache.crail.cli.console.Sizes;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.cli.context.Namenodes;
import org.apache.crail.cli.context.Namenodes.Namenode;
import org.apache.crail.metadata.NodeStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code crail fs -du}. Used by one thread. */
@Command(
        name = "du",
        aliases = "-du",
        description = "Show how many bytes the files of a tree have, and how many their blocks take.")
final class DuCommand extends FsSubcommand {
    @Option(names = "-s", description = "Show one sum for each path, not one for each child.")
    private boolean summary;

    @Option(
            names = {"-h", "--human"},
            description = "Show sizes with a unit.")
    private boolean human;

    @Parameters(paramLabel = "PATH", arity = "0..*", description = "Trees to add up; / if none is named.")
    private List<String> paths = List.of("/");

    DuCommand(CliContext context) {
        super(context);
    }

    @Override
    void run(Trees trees) throws Exception {
        forEach(trees, paths, path -> {
            long blockSizeBytes = path.tree().blockSizeBytes();
            try (Namenodes namenodes = Namenodes.connect(path.tree().configuration())) {
                Namenode namenode = namenodes.all().get(0);
                show(path, path.status(), () -> new SpaceHeld(namenode, blockSizeBytes));
            }
        });
    }

    private void show(RemotePath path, NodeStatus status, Supplier<SpaceHeld> sums) throws Exception {
        if (summary || !status.file().getType().isContainer()) {
            print(path, status, sums.get());
            return;
        }
        for (NodeStatus child : path.tree().statuses(path.path())) {
            print(path.child(child.name()), child, sums.get());
        }
    }

    private void print(RemotePath path, NodeStatus status, SpaceHeld held) throws Exception {
        path.walk(status, held::add);
        held.await();
        console().linef("%-12s %-12s %s", size(held.bytes()), size(held.heldBytes()), path);
    }

    private String size(long bytes) {
        return human ? Sizes.human(bytes) : Long.toString(bytes);
    }
}
