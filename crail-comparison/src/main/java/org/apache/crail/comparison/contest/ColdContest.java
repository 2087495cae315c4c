/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.contest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.crail.comparison.Peer;
import org.apache.crail.comparison.PeerClient;
import org.apache.crail.comparison.Servers;
import org.apache.crail.comparison.cold.ColdEffort;
import org.apache.crail.comparison.cold.ColdMarks;
import org.apache.crail.comparison.cold.ColdRun;
import org.apache.crail.comparison.cold.ColdStep;
import org.apache.crail.comparison.cold.ColdSystems;
import org.apache.crail.comparison.cold.ColdWork;
import org.apache.crail.comparison.contest.Report.Figures;

/**
 * The process of a placement in which clients are cold: starts the systems, and round by round a new client of each
 * system for each work. Its own clients get ready what turns need, and remove what they leave. A system that fails
 * takes part no more.
 */
public final class ColdContest extends Course {
    private final ColdEffort effort;
    private final ColdRun runs;
    private final List<Entry> entries = new ArrayList<>();
    private int turns;

    private ColdContest(Plan plan, Servers servers) {
        super(plan, servers);
        this.effort = ColdEffort.fitting(plan.quick(), plan.usableMib());
        this.runs = new ColdRun(servers, plan.clientOptions(), effort);
    }

    /**
     * A system that does a work.
     *
     * @param client of this process
     * @param rounds milliseconds by step, for each round that counts
     */
    private record Entry(ColdWork work, Peer peer, PeerClient client, List<Map<ColdStep, Double>> rounds) {
        String system() {
            return peer.name();
        }
    }

    /**
     * Runs a plan.
     *
     * @param args the plan as JSON
     */
    public static void main(String[] args) {
        Course.run(args[0], ColdContest::new);
    }

    @Override
    Report report() {
        start(ColdSystems.all(effort, plan().peers(), plan().settings()), this::hasWork);
        rounds();
        List<Figures> figures = new ArrayList<>();
        for (ColdWork work : plan().coldWorks()) {
            entriesOf(work).forEach(entry -> figures.addAll(figures(entry)));
        }
        return reportOf(figures);
    }

    private boolean hasWork(Peer peer) {
        return plan().coldWorks().stream().anyMatch(work -> canDo(peer, work));
    }

    private static boolean canDo(Peer peer, ColdWork work) {
        return peer.abilities().contains(work.ability());
    }

    @Override
    void join(Peer peer) throws Exception {
        if (peer.address().isEmpty()) {
            skip(peer, "its clients cannot be processes of their own");
            return;
        }
        PeerClient client = peer.connect();
        toClose(client);
        for (ColdWork work : plan().coldWorks()) {
            if (canDo(peer, work)) {
                entries.add(new Entry(work, peer, client, new ArrayList<>()));
            }
        }
    }

    @Override
    void drop(String system) {
        entries.removeIf(entry -> entry.system().equals(system));
    }

    private List<Entry> entriesOf(ColdWork work) {
        return entries.stream().filter(entry -> entry.work() == work).toList();
    }

    @Override
    void round(int round) {
        for (ColdWork work : plan().coldWorks()) {
            shuffled(entriesOf(work)).forEach(entry -> attempt(entry.system(), () -> turn(entry, round)));
        }
    }

    /** The first rounds show servers what is asked of them, and this process which classes a client has. */
    private void turn(Entry entry, int round) throws Exception {
        ColdWork work = entry.work();
        PeerClient client = entry.client();
        if (work.isLarge()) {
            client.awaitRoom();
        }
        String place = work.prepare(client, work.workName() + "-" + ++turns);
        ColdMarks marks = round < 0 ? runs.learn(entry.peer(), work, place) : runs.run(entry.peer(), work, place);
        work.check(client, place, marks.operations());
        client.remove(place);
        client.settle();
        entry.peer().check();
        if (round >= 0) {
            entry.rounds().add(marks.milliseconds(work.workName()));
        }
    }

    /** Of the steps that have been done in each round. */
    private List<Figures> figures(Entry entry) {
        List<Map<ColdStep, Double>> rounds = entry.rounds();
        return rounds.stream()
                .flatMap(round -> round.keySet().stream())
                .distinct()
                .filter(step -> rounds.stream().allMatch(round -> round.containsKey(step)))
                .map(step -> new Figures(
                        step.toString(),
                        entry.system(),
                        "ms",
                        rounds.stream().map(round -> round.get(step)).toList()))
                .toList();
    }
}
