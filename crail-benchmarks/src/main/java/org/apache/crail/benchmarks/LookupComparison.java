/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.benchmarks;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.crail.error.CrailException;
import org.apache.crail.rpc.message.LookupRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/**
 * Compares lookups of namenodes that differ in how many datanodes have registered, and send heartbeats. The namenodes
 * are in this process and take turns, with the same requests; what counts is the processor time of the thread that
 * calls them, or how long a client over TCP waits. Where a namenode's tables happen to lie in memory makes a
 * difference, too, so there are several of each kind. Used by one thread.
 */
@Command(
        name = "lookups",
        mixinStandardHelpOptions = true,
        description =
                "Compare lookups of namenodes with few and with many datanodes, in this process, without a transport or over TCP.")
final class LookupComparison implements Callable<Integer> {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    @ParentCommand
    private Benchmarks parent;

    @Option(
            names = "--datanodes",
            split = ",",
            defaultValue = "3,1000",
            description =
                    "Registered datanodes of each kind of namenode; all are compared with the first one (${DEFAULT-VALUE}).")
    private int[] datanodes;

    @Option(names = "--namenodes", defaultValue = "4", description = "Namenodes of each kind (${DEFAULT-VALUE}).")
    private int namenodes;

    @Option(names = "--files", defaultValue = "100000", description = "Files of each namenode (${DEFAULT-VALUE}).")
    private int files;

    @Option(
            names = "--rounds",
            defaultValue = "40",
            description = "Rounds, in each of which each namenode looks up each file once (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--warmup",
            defaultValue = "10",
            description = "Rounds before that count nothing (${DEFAULT-VALUE}).")
    private int warmup;

    @Option(
            names = "--tcp",
            description = "Measure how long clients wait for lookups over TCP, one at a time, and not processor time.")
    private boolean tcp;

    @Override
    public Integer call() throws Exception {
        PrintStream out = parent.out();
        Machine.describe(parent.command()).forEach((name, value) -> out.println(name + ": " + value));
        List<MeasuredNamenode> all = new ArrayList<>();
        try {
            for (int i = 0; i < namenodes * datanodes.length; i++) {
                int count = datanodes[i % datanodes.length];
                LocalNamenode namenode = LocalNamenode.start(files, count);
                all.add(new MeasuredNamenode(
                        count, namenode, tcp ? new ServedLookups(namenode) : null, new ArrayList<>()));
            }
            FileTree tree = new FileTree(files);
            for (MeasuredNamenode each : all) {
                tree.create(each.namenode().service());
            }
            measure(all, tree.lookups());
            for (MeasuredNamenode each : all) {
                each.namenode().check();
            }
        } finally {
            all.forEach(MeasuredNamenode::close);
        }
        for (int count : datanodes) {
            print(out, all, count);
        }
        return 0;
    }

    /** Every other round goes in the opposite order. */
    private void measure(List<MeasuredNamenode> all, LookupRequest[] lookups) throws Exception {
        for (int round = -warmup; round < rounds; round++) {
            for (int turn = 0; turn < all.size(); turn++) {
                MeasuredNamenode each = all.get(round % 2 == 0 ? turn : all.size() - 1 - turn);
                double figure = tcp ? each.served().medianUs(lookups) : nanosEach(each.namenode(), lookups);
                if (round >= 0) {
                    each.figures().add(figure);
                }
            }
        }
    }

    private static double nanosEach(LocalNamenode namenode, LookupRequest[] lookups) throws CrailException {
        long found = 0;
        long begin = THREADS.getCurrentThreadCpuTime();
        for (LookupRequest lookup : lookups) {
            found += namenode.service().lookup(lookup).file().getFd() > 0 ? 1 : 0;
        }
        long end = THREADS.getCurrentThreadCpuTime();
        if (found != lookups.length) {
            throw new IllegalStateException("found " + found + " of " + lookups.length + " files");
        }
        return (double) (end - begin) / lookups.length;
    }

    private void print(PrintStream out, List<MeasuredNamenode> all, int count) {
        List<Double> figures = new ArrayList<>();
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            figures.add(meanOf(all, count, round));
            ratios.add(meanOf(all, count, round) / meanOf(all, datanodes[0], round));
        }
        Spread ratio = Spread.of(ratios);
        Spread single = Spread.of(all.stream()
                .filter(each -> each.datanodes() == count)
                .map(each -> Spread.of(each.figures()).median())
                .toList());
        out.printf(
                Locale.ROOT,
                "%,d datanodes: %.1f %s for each lookup (medians of single namenodes: %.1f to %.1f), ratio %.3f (%.3f to %.3f)%n",
                count,
                Spread.of(figures).median(),
                tcp ? "us over TCP" : "ns of processor time",
                single.min(),
                single.max(),
                ratio.median(),
                ratio.min(),
                ratio.max());
    }

    private static double meanOf(List<MeasuredNamenode> all, int count, int round) {
        return all.stream()
                .filter(each -> each.datanodes() == count)
                .mapToDouble(each -> each.figures().get(round))
                .average()
                .orElseThrow();
    }

    /**
     * A namenode and what was measured of it.
     *
     * @param datanodes how many it has
     * @param namenode the namenode
     * @param served its lookups over TCP, if these are measured
     * @param figures processor time for each lookup in ns, or time over TCP in us, of all rounds
     */
    private record MeasuredNamenode(int datanodes, LocalNamenode namenode, ServedLookups served, List<Double> figures) {
        void close() {
            if (served != null) {
                served.close();
            }
            namenode.close();
        }
    }
}
