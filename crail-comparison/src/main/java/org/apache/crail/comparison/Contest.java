/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.crail.comparison.Report.Figures;

/**
 * The client process of a placement: starts the systems, lets them take turns at each work, round by round, and writes down
 * their figures. Whatever ends it, also the end of its standard input, ends the servers.
 */
public final class Contest {
    private final Plan plan;
    private final List<Work> works;
    private final Map<String, String> skipped = new LinkedHashMap<>();
    private final List<Entry> entries = new ArrayList<>();

    private Contest(Plan plan) {
        this.plan = plan;
        this.works = Works.all(plan.effort()).stream().filter(plan::wants).toList();
    }

    /** A system that does a work. */
    private record Entry(Work work, String system, Work.Turn turn, List<Double> figures) {}

    /**
     * Runs a plan.
     *
     * @param args the plan as JSON
     */
    public static void main(String[] args) throws Exception {
        ObjectMapper json = new ObjectMapper();
        Plan plan = json.readValue(args[0], Plan.class);
        Servers servers = new Servers(Path.of(plan.directory()), plan.serverPrefix());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(servers), "end-servers"));
        ServerProcess.exitWithParent();
        Report report = new Contest(plan).run(servers);
        json.writeValue(new File(plan.report()), report);
        System.exit(0);
    }

    private static void end(Servers servers) {
        try {
            servers.close();
        } catch (Exception e) { // the last thing that this process does
            System.err.println("not all servers have been ended in order: " + e);
        }
    }

    private Report run(Servers servers) throws Exception {
        List<AutoCloseable> open = new ArrayList<>();
        try {
            Map<Peer, Bench> benches = start(servers, open);
            for (Work work : works) {
                prepare(work, benches);
            }
            for (int round = -plan.warmup(); round < plan.rounds(); round++) {
                round(round);
            }
        } finally {
            Servers.closeAll(open);
        }
        return new Report(
                entries.stream()
                        .map(entry -> new Figures(
                                entry.work().name(),
                                entry.system(),
                                entry.work().unit(),
                                entry.figures()))
                        .toList(),
                skipped);
    }

    private Map<Peer, Bench> start(Servers servers, List<AutoCloseable> open) throws Exception {
        Map<Peer, Bench> benches = new LinkedHashMap<>();
        for (Peer peer : Systems.all(plan.effort(), plan.peers(), plan.settings())) {
            if (!plan.wants(peer)
                    || works.stream().noneMatch(work -> peer.abilities().contains(work.ability()))) {
                continue;
            }
            if (peer.missing().isPresent()) {
                skipped.put(peer.name(), peer.missing().get());
                continue;
            }
            say("starting " + peer.name());
            open.add(0, peer);
            peer.start(servers);
            Bench bench = new Bench(peer, plan.effort());
            open.add(0, bench);
            benches.put(peer, bench);
        }
        return benches;
    }

    private void prepare(Work work, Map<Peer, Bench> benches) throws Exception {
        for (Map.Entry<Peer, Bench> each : benches.entrySet()) {
            if (each.getKey().abilities().contains(work.ability())) {
                Work.Turn turn = work.preparation().prepare(each.getValue());
                entries.add(new Entry(work, each.getKey().name(), turn, new ArrayList<>()));
            }
        }
    }

    /** In each round another system is the first at a work, so that none always follows the same one. */
    private void round(int round) throws Exception {
        long startNs = System.nanoTime();
        for (Work work : works) {
            List<Entry> group =
                    entries.stream().filter(entry -> entry.work().equals(work)).toList();
            for (int i = 0; i < group.size(); i++) {
                Entry entry = group.get(Math.floorMod(i + round, group.size()));
                double figure = entry.turn().take();
                if (round >= 0) {
                    entry.figures().add(figure);
                }
            }
        }
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs);
        String name = round < 0 ? "warm-up round" : "round " + (round + 1) + " of " + plan.rounds();
        say(name + " done in " + seconds + " s");
    }

    private static void say(String text) {
        System.err.println(text);
    }
}
