/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.crail.comparison.Report.Figures;

/**
 * The client process of a placement: starts the systems, lets them take turns at each work, round by round, and writes
 * down their figures. A system that fails takes part no more. Whatever ends this process but SIGKILL, also the end of
 * its standard input, makes it end the servers.
 */
public final class Contest implements Course {
    private static final long SEED = 42;

    private final Plan plan;
    private final Servers servers;
    private final List<Work> works;
    private final List<SystemBench> benches = new ArrayList<>();
    private final List<Entry> entries = new ArrayList<>();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final Map<String, String> skipped = new LinkedHashMap<>();
    private final Map<String, String> failed = new LinkedHashMap<>();
    private final Random order = new Random(SEED);

    private Contest(Plan plan, Servers servers) {
        this.plan = plan;
        this.servers = servers;
        this.works = Works.all(plan.effort()).stream().filter(plan::wants).toList();
    }

    /** A system that does a work. */
    private record Entry(Work work, SystemBench bench, Work.Turn turn, List<Double> figures) {
        String system() {
            return bench.peer().name();
        }
    }

    /** A system that is being warmed up. */
    private record Warming(Entry entry, WarmUp warmUp) {
        String system() {
            return entry.system();
        }

        void takeTurn() throws Exception {
            Tally before = entry.bench().tally();
            double ignored = entry.turn().take();
            warmUp.add(entry.bench().tally().minus(before));
        }
    }

    /** Something that a system does, and may fail at. */
    private interface Step {
        void run() throws Exception;
    }

    /**
     * Runs a plan.
     *
     * @param args the plan as JSON
     */
    public static void main(String[] args) {
        Course.run(args[0], Contest::new);
    }

    /** What all systems do in all rounds. */
    @Override
    public Report report() throws Exception {
        for (Peer peer : Systems.all(plan.effort(), plan.peers(), plan.settings())) {
            if (plan.wants(peer) && works.stream().anyMatch(work -> canDo(peer, work))) {
                peer.missing().ifPresentOrElse(reason -> skipped.put(peer.name(), reason), () -> start(peer));
            }
        }
        for (Work work : works) {
            prepare(work);
        }
        works.forEach(this::warmUp);
        for (int round = -plan.warmup(); round < plan.rounds(); round++) {
            round(round);
        }
        List<Figures> figures = entries.stream()
                .map(entry -> new Figures(
                        entry.work().name(), entry.system(), entry.work().unit(), entry.figures()))
                .toList();
        return new Report(figures, skipped, failed);
    }

    private static boolean canDo(Peer peer, Work work) {
        return peer.abilities().contains(work.ability());
    }

    /** A failing system takes part no more, and its figures are dropped; the others go on. */
    private void attempt(String system, Step step) {
        if (failed.containsKey(system)) {
            return;
        }
        try {
            step.run();
        } catch (Exception | LinkageError e) { // whatever it is, the others can go on
            if (servers.isClosed()) {
                throw new IllegalStateException("the comparison is ending", e);
            }
            say(system + " has failed and takes part no more");
            e.printStackTrace();
            failed.put(system, e.toString());
            entries.removeIf(entry -> entry.system().equals(system));
            benches.removeIf(bench -> bench.peer().name().equals(system));
        }
    }

    private void start(Peer peer) {
        say("starting " + peer.name());
        open.add(0, peer);
        attempt(peer.name(), () -> {
            peer.start(servers);
            SystemBench bench = new SystemBench(peer, plan.effort());
            open.add(0, bench);
            benches.add(bench);
        });
    }

    private void prepare(Work work) {
        for (SystemBench bench : List.copyOf(benches)) {
            if (canDo(bench.peer(), work)) {
                attempt(
                        bench.peer().name(),
                        () -> entries.add(
                                new Entry(work, bench, work.preparation().prepare(bench), new ArrayList<>())));
            }
        }
    }

    /**
     * Turns that do not count, until each system is warm. While one takes its turn, blocks of the others become free.
     */
    private void warmUp(Work work) {
        long startNs = System.nanoTime();
        List<Warming> all = entriesOf(work)
                .map(entry -> new Warming(entry, new WarmUp(plan.effort())))
                .toList();
        List<Warming> cold = new ArrayList<>(all);
        while (!cold.isEmpty()) {
            cold.forEach(one -> attempt(one.system(), one::takeTurn));
            cold.removeIf(one -> one.warmUp().isOver() || failed.containsKey(one.system()));
        }
        List<String> compiling = all.stream()
                .filter(one -> one.warmUp().isCompiling() && !failed.containsKey(one.system()))
                .map(Warming::system)
                .toList();
        say("warm for " + work.name() + " after " + secondsSince(startNs) + " s"
                + (compiling.isEmpty() ? "" : ", but for what is still being compiled: " + compiling));
    }

    private Stream<Entry> entriesOf(Work work) {
        return entries.stream().filter(entry -> entry.work().equals(work));
    }

    /**
     * Each work of each round has an order of its own, the same in each run, so that none always follows the same one.
     */
    private void round(int round) {
        long startNs = System.nanoTime();
        for (Work work : works) {
            List<Entry> group = new ArrayList<>(entriesOf(work).toList());
            Collections.shuffle(group, order);
            for (Entry entry : group) {
                attempt(entry.system(), () -> {
                    double figure = entry.turn().take();
                    if (round >= 0) {
                        entry.figures().add(figure);
                    }
                });
            }
        }
        for (SystemBench bench : List.copyOf(benches)) {
            attempt(bench.peer().name(), bench.peer()::check);
        }
        String name = round < 0 ? "warm-up round" : "round " + (round + 1) + " of " + plan.rounds();
        say(name + " done in " + secondsSince(startNs) + " s");
    }

    private static long secondsSince(long startNs) {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs);
    }

    private static void say(String text) {
        System.err.println(text);
    }

    /** What is wrong now does no harm to the figures any more. */
    @Override
    public void close() {
        try {
            CloseAll.all(open);
        } catch (IOException e) {
            say("not everything could be closed: " + e);
        }
    }
}
