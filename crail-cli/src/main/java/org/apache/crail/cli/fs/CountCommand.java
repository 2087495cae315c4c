/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.util.List;
import org.apache.crail.cli.console.Sizes;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.metadata.NodeStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code crail fs -count}. Used by one thread. */
@Command(
        name = "count",
        aliases = "-count",
        description = "Count containers, files and bytes of trees, the named node among them; -v shows headings, too.")
final class CountCommand extends FsSubcommand {
    private static final String COLUMNS = "%12s %12s %18s %s";

    @Option(
            names = {"-h", "--human"},
            description = "Show sizes with a unit.")
    private boolean human;

    @Parameters(paramLabel = "PATH", arity = "1..*", description = "Trees to count.")
    private List<String> paths;

    CountCommand(CliContext context) {
        super(context);
    }

    @Override
    void run(Trees trees) throws Exception {
        if (isVerbose()) {
            console().linef(COLUMNS, "DIR_COUNT", "FILE_COUNT", "CONTENT_SIZE", "PATHNAME");
        }
        forEach(trees, paths, path -> {
            Counts counts = new Counts();
            path.walk(path.status(), counts);
            console()
                    .linef(
                            COLUMNS,
                            counts.containers,
                            counts.files,
                            human ? Sizes.human(counts.bytes) : Long.toString(counts.bytes),
                            path);
        });
    }

    /** What has been seen so far. */
    private static final class Counts implements RemotePath.Visitor {
        private long containers;
        private long files;
        private long bytes;

        @Override
        public void visit(RemotePath path, NodeStatus status) {
            if (status.file().getType().isContainer()) {
                containers++;
            } else {
                files++;
                bytes += status.file().getCapacity();
            }
        }
    }
}
