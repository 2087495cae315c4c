/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fsck;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.crail.CrailBlockLocation;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailPath;
import org.apache.crail.CrailStore;
import org.apache.crail.cli.console.Console;
import org.apache.crail.cli.console.TextTable;
import org.apache.crail.cli.context.Namenodes;
import org.apache.crail.cli.context.OpenStore;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.metadata.NodeStatus;
import picocli.CommandLine.ExitCode;

/** Where bytes lie. All methods are thread safe. */
final class Locations {
    private Locations() {}

    static int print(FsckRequest request) throws Exception {
        try (OpenStore open = request.context().openStore()) {
            CrailNode node = request.require(open.store());
            TextTable table = new TextTable("OFFSET", "LENGTH", "DATANODES", "TOPOLOGY", "TYPES", "LOCATIONS");
            for (CrailBlockLocation one : node.getBlockLocations(request.offset(), request.length())) {
                table.row(
                        one.getOffset(),
                        one.getLength(),
                        String.join(",", one.getNames()),
                        String.join(",", one.getTopology()),
                        numbers(one.getStorageTypes()),
                        numbers(one.getLocationAffinities()));
            }
            table.print(request.console());
        }
        return ExitCode.OK;
    }

    private static String numbers(int[] values) {
        StringBuilder text = new StringBuilder();
        for (int value : values) {
            text.append(text.isEmpty() ? "" : ",").append(value);
        }
        return text.toString();
    }

    static int statistics(FsckRequest request) throws Exception {
        CrailConfiguration conf = request.context().configuration();
        Map<String, Long> blocks = new TreeMap<>();
        try (OpenStore open = request.context().openStore(conf);
                Namenodes namenodes = Namenodes.connect(conf)) {
            count(namenodes, open.store(), request.require(open.store()), blocks);
        }
        print(request.console(), blocks);
        return ExitCode.OK;
    }

    /** Counts files that are not listed, too. */
    private static void count(Namenodes namenodes, CrailStore store, CrailNode node, Map<String, Long> blocks)
            throws Exception {
        if (node.getType().isContainer()) {
            CrailPath path = CrailPath.parse(node.getPath());
            for (NodeStatus status : Books.children(namenodes, path)) {
                CrailNode child =
                        store.lookup(path.child(status.name()).toString()).get();
                if (child != null) {
                    count(namenodes, store, child, blocks);
                }
            }
        } else if (node.getCapacity() > 0) {
            for (CrailBlockLocation one : node.getBlockLocations(0, node.getCapacity())) {
                blocks.merge(one.getNames()[0], 1L, Long::sum);
            }
        }
    }

    private static void print(Console console, Map<String, Long> blocks) {
        long sum = blocks.values().stream().mapToLong(Long::longValue).sum();
        TextTable table = new TextTable("DATANODE", "BLOCKS", "SHARE");
        blocks.forEach((datanode, count) ->
                table.row(datanode, count, String.format(Locale.ROOT, "%.1f %%", 100.0 * count / sum)));
        table.row("all", sum, "");
        table.print(console);
    }
}
