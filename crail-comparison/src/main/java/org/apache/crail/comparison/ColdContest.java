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
import org.apache.crail.comparison.Report.Figures;

/**
 * The process of a placement in which clients are cold: starts the systems, and round by round a new client of each
 * system for each work. Its own clients get ready what turns need, and remove what they leave. A system that fails
 * takes part no more.
 */
public final class ColdContest implements Course {
    private static final long SEED = 42;

    private final Plan plan;
    private final Servers servers;
    private final ColdEffort effort;
    private final ColdRun runs;
    private final List<AutoCloseable> open = new ArrayList<>();
    private final List<Entry> entries = new ArrayList<>();
    private final Map<String, String> skipped = new LinkedHashMap<>();
    private final Map<String, String> failed = new LinkedHashMap<>();
    private final Random order = new Random(SEED);
    private int turns;

    private ColdContest(Plan plan, Servers servers) {
        this.plan = plan;
        this.servers = servers;
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

    /** Something that a system does, and may fail at. */
    private interface Attempt {
        void run() throws Exception;
    }

    /**
     * Runs a plan.
     *
     * @param args the plan as JSON
     */
    public static void main(String[] args) {
        Course.run(args[0], ColdContest::new);
    }

    /** What all systems do in all rounds. */
    @Override
    public Report report() {
        for (Peer peer : ColdSystems.all(effort, plan.peers(), plan.settings())) {
            if (plan.wants(peer) && plan.coldWorks().stream().anyMatch(work -> canDo(peer, work))) {
                peer.missing().ifPresentOrElse(reason -> skipped.put(peer.name(), reason), () -> start(peer));
            }
        }
        for (int round = -plan.warmup(); round < plan.rounds(); round++) {
            round(round);
        }
        List<Figures> figures = new ArrayList<>();
        for (ColdWork work : plan.coldWorks()) {
            entriesOf(work).forEach(entry -> figures.addAll(figures(entry)));
        }
        return new Report(figures, skipped, failed);
    }

    private static boolean canDo(Peer peer, ColdWork work) {
        return peer.abilities().contains(work.ability());
    }

    private void start(Peer peer) {
        say("starting " + peer.name());
        open.add(0, peer);
        attempt(peer.name(), () -> {
            peer.start(servers);
            if (peer.address().isEmpty()) {
                skipped.put(peer.name(), "its clients cannot be processes of their own");
                return;
            }
            PeerClient client = peer.connect();
            open.add(0, client);
            for (ColdWork work : plan.coldWorks()) {
                if (canDo(peer, work)) {
                    entries.add(new Entry(work, peer, client, new ArrayList<>()));
                }
            }
        });
    }

    /** A failing system takes part no more, and its figures are dropped; the others go on. */
    private void attempt(String system, Attempt attempt) {
        if (failed.containsKey(system)) {
            return;
        }
        try {
            attempt.run();
        } catch (Exception | LinkageError e) { // whatever it is, the others can go on
            if (servers.isClosed()) {
                throw new IllegalStateException("the comparison is ending", e);
            }
            say(system + " has failed and takes part no more");
            e.printStackTrace();
            failed.put(system, e.toString());
            entries.removeIf(entry -> entry.system().equals(system));
        }
    }

    private List<Entry> entriesOf(ColdWork work) {
        return entries.stream().filter(entry -> entry.work() == work).toList();
    }

    /**
     * Each work of each round has an order of its own, the same in each run, so that none always follows the same one.
     */
    private void round(int round) {
        long startNs = System.nanoTime();
        for (ColdWork work : plan.coldWorks()) {
            List<Entry> group = new ArrayList<>(entriesOf(work));
            Collections.shuffle(group, order);
            group.forEach(entry -> attempt(entry.system(), () -> turn(entry, round)));
        }
        String name = round < 0 ? "warm-up round" : "round " + (round + 1) + " of " + plan.rounds();
        say(name + " done in " + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs) + " s");
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
