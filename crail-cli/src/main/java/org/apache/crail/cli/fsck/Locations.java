/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.fsck;

import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.apache.crail.CrailBlockLocation;
import org.apache.crail.CrailNode;
import org.apache.crail.CrailStore;
import org.apache.crail.cli.Console;
import org.apache.crail.cli.OpenStore;
import org.apache.crail.cli.TextTable;
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
        Map<String, Long> blocks = new TreeMap<>();
        try (OpenStore open = request.context().openStore()) {
            count(open.store(), request.require(open.store()), blocks);
        }
        print(request.console(), blocks);
        return ExitCode.OK;
    }

    private static void count(CrailStore store, CrailNode node, Map<String, Long> blocks) throws Exception {
        if (node.getType().isContainer()) {
            for (Iterator<String> names = node.asContainer().listEntries(); names.hasNext(); ) {
                CrailNode child = store.lookup(names.next()).get();
                if (child != null) {
                    count(store, child, blocks);
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
                table.row(datanode, count, String.format(java.util.Locale.ROOT, "%.1f %%", 100.0 * count / sum)));
        table.row("all", sum, "");
        table.print(console);
    }
}
