/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.contest;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.crail.comparison.Peer;
import org.apache.crail.comparison.Servers;
import org.apache.crail.comparison.contest.Report.Figures;
import org.apache.crail.comparison.peers.Systems;
import org.apache.crail.comparison.works.SystemBench;
import org.apache.crail.comparison.works.Tally;
import org.apache.crail.comparison.works.Work;
import org.apache.crail.comparison.works.Works;

/**
 * The client process of a placement: starts the systems, lets them take turns at each work, round by round, and writes
 * down their figures. A system that fails takes part no more. Whatever ends this process but SIGKILL, also the end of
 * its standard input, makes it end the servers.
 */
public final class Contest extends Course {
    private final List<Work> works;
    private final List<SystemBench> benches = new ArrayList<>();
    private final List<Entry> entries = new ArrayList<>();

    private Contest(Plan plan, Servers servers) {
        super(plan, servers);
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

    /**
     * Runs a plan.
     *
     * @param args the plan as JSON
     */
    public static void main(String[] args) {
        Course.run(args[0], Contest::new);
    }

    @Override
    Report report() {
        start(Systems.all(plan().effort(), plan().peers(), plan().settings()), this::hasWork);
        works.forEach(this::prepare);
        works.forEach(this::warmUp);
        rounds();
        return reportOf(entries.stream()
                .map(entry -> new Figures(
                        entry.work().name(), entry.system(), entry.work().unit(), entry.figures()))
                .toList());
    }

    private boolean hasWork(Peer peer) {
        return works.stream().anyMatch(work -> canDo(peer, work));
    }

    private static boolean canDo(Peer peer, Work work) {
        return peer.abilities().contains(work.ability());
    }

    @Override
    void drop(String system) {
        entries.removeIf(entry -> entry.system().equals(system));
        benches.removeIf(bench -> bench.peer().name().equals(system));
    }

    @Override
    void join(Peer peer) throws Exception {
        SystemBench bench = new SystemBench(peer, plan().effort());
        toClose(bench);
        benches.add(bench);
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
                .map(entry -> new Warming(entry, new WarmUp(plan().effort())))
                .toList();
        List<Warming> cold = new ArrayList<>(all);
        while (!cold.isEmpty()) {
            cold.forEach(one -> attempt(one.system(), one::takeTurn));
            cold.removeIf(one -> one.warmUp().isOver() || hasFailed(one.system()));
        }
        List<String> compiling = all.stream()
                .filter(one -> one.warmUp().isCompiling() && !hasFailed(one.system()))
                .map(Warming::system)
                .toList();
        say("warm for " + work.name() + " after " + secondsSince(startNs) + " s"
                + (compiling.isEmpty() ? "" : ", but for what is still being compiled: " + compiling));
    }

    private Stream<Entry> entriesOf(Work work) {
        return entries.stream().filter(entry -> entry.work().equals(work));
    }

    @Override
    void round(int round) {
        for (Work work : works) {
            for (Entry entry : shuffled(entriesOf(work).toList())) {
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
    }
}
