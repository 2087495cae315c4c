/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.crail.cli.console.Console;
import org.apache.crail.cli.console.Durations;
import org.apache.crail.cli.console.Json;
import org.apache.crail.cli.console.Sizes;
import org.apache.crail.cli.console.TextTable;
import org.apache.crail.cli.context.CliContext;
import org.apache.crail.cli.context.HostNames;
import org.apache.crail.cli.context.Namenodes;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.internal.Counted;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** {@code crail report}. Used by one thread. */
@Command(name = "report", description = "Show namenodes, datanodes and storage classes: capacity, use, last heartbeat.")
public final class ReportCommand implements Callable<Integer> {
    private static final double MS_PER_SECOND = 1e3;

    private final CliContext context;

    @Option(names = "--json", description = "Write JSON, with all sizes in bytes and all times in milliseconds.")
    private boolean json;

    /** Makes the command. */
    public ReportCommand(CliContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws Exception {
        CrailConfiguration conf = context.configuration();
        List<String> tiers = conf.get(CrailKeys.STORAGE_TYPES);
        context.warn(conf);
        List<ClusterReport> reports = new ArrayList<>();
        try (Namenodes namenodes = Namenodes.connect(conf)) {
            for (Namenodes.Namenode namenode : namenodes.all()) {
                reports.add(ClusterReport.of(namenode.address(), namenode.report(), tiers));
            }
        }
        if (json) {
            context.console().line(Json.of(new Reports(reports)));
        } else {
            reports.forEach(report -> print(context.console(), report));
        }
        return ExitCode.OK;
    }

    private static void print(Console console, ClusterReport report) {
        ClusterReport.Space space = report.space();
        long stopped = report.datanodes(ClusterReport.Datanode.STOPPED);
        console.linef(
                "namenode %s of cluster %s, up %s, block size %s, %s%s",
                report.namenode(),
                report.clusterId(),
                Durations.human(report.uptimeMs()),
                Sizes.human(report.blockSizeBytes()),
                Counted.of(report.nodes(), "node"),
                expiry(report));
        console.linef(
                "datanodes: %d live, %d silent%s; capacity %s, used %s (%s), waiting for reclamation %s, free %s",
                report.datanodes(ClusterReport.Datanode.LIVE),
                report.datanodes(ClusterReport.Datanode.SILENT),
                stopped == 0 ? "" : ", " + stopped + " stopped",
                Sizes.human(space.capacityBytes()),
                Sizes.human(space.usedBytes()),
                space.usedPercent(),
                Sizes.human(space.pendingBytes()),
                Sizes.human(space.freeBytes()));
        if (!report.datanodes().isEmpty()) {
            console.line("");
            classes(report).print(console);
            console.line("");
            datanodes(report).print(console);
        }
    }

    private static String expiry(ClusterReport report) {
        String expiry = report.expiring() == 0 && report.expired() == 0
                ? ""
                : ", " + report.expiring() + " with an end, " + report.expired() + " gone by themselves";
        return report.evicted() == 0 ? expiry : expiry + ", " + report.evicted() + " evicted";
    }

    private static TextTable classes(ClusterReport report) {
        TextTable table = new TextTable("CLASS", "DATANODES", "CAPACITY", "USED", "USED%", "PENDING", "FREE");
        for (ClusterReport.StorageClass one : report.classes()) {
            ClusterReport.Space space = one.space();
            table.row(
                    one.storageClass(),
                    one.datanodes(),
                    Sizes.human(space.capacityBytes()),
                    Sizes.human(space.usedBytes()),
                    space.usedPercent(),
                    Sizes.human(space.pendingBytes()),
                    Sizes.human(space.freeBytes()));
        }
        return table;
    }

    private static TextTable datanodes(ClusterReport report) {
        TextTable table = new TextTable(
                "DATANODE",
                "TIER",
                "CLASS",
                "STATE",
                "HEARTBEAT",
                "CAPACITY",
                "USED",
                "USED%",
                "PENDING",
                "FREE",
                "NAME");
        Map<String, String> names = HostNames.of(
                report.datanodes().stream().map(ClusterReport.Datanode::host).toList());
        for (ClusterReport.Datanode one : report.datanodes()) {
            ClusterReport.Space space = one.space();
            table.row(
                    one.address(),
                    one.tierName(),
                    one.storageClass(),
                    one.state(),
                    String.format(java.util.Locale.ROOT, "%.1f s ago", one.lastHeartbeatMs() / MS_PER_SECOND),
                    Sizes.human(space.capacityBytes()),
                    Sizes.human(space.usedBytes()),
                    space.usedPercent(),
                    Sizes.human(space.pendingBytes()),
                    Sizes.human(space.freeBytes()),
                    names.getOrDefault(one.host(), one.host()));
        }
        return table;
    }

    /**
     * The whole of the JSON.
     *
     * @param namenodes one report each
     */
    record Reports(List<ClusterReport> namenodes) {}
}
