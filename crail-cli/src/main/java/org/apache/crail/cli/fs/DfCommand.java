/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fs;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import org.apache.crail.cli.console.Sizes;
import org.apache.crail.cli.console.TextTable;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.metadata.StoreCapacity;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code crail fs -df}. Used by one thread. */
@Command(name = "df", aliases = "-df", description = "Show how many bytes a store offers, and how many are used.")
final class DfCommand extends FsSubcommand {
    @Option(
            names = {"-h", "--human"},
            description = "Show sizes with a unit.")
    private boolean human;

    @Parameters(paramLabel = "PATH", arity = "0..*", description = "Any paths in the stores; / if none is named.")
    private List<String> paths = List.of("/");

    DfCommand(CliContext context) {
        super(context);
    }

    @Override
    void run(Trees trees) throws Exception {
        TextTable table = new TextTable("Filesystem", "Size", "Used", "Available", "Use%");
        forEach(trees, paths, path -> {
            StoreCapacity capacity = path.tree().capacity();
            URI namenode =
                    path.tree().configuration().get(CrailKeys.NAMENODE_ADDRESS).get(0);
            long used = capacity.totalBytes() - capacity.freeBytes();
            table.row(
                    namenode,
                    size(capacity.totalBytes()),
                    size(used),
                    size(capacity.freeBytes()),
                    String.format(Locale.ROOT, "%.0f%%", 100.0 * used / Math.max(1, capacity.totalBytes())));
        });
        table.print(console());
    }

    private String size(long bytes) {
        return human ? Sizes.human(bytes) : Long.toString(bytes);
    }
}
