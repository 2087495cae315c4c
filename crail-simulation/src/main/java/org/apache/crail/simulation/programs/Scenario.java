/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.programs;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.crail.error.CrailException;
import org.apache.crail.simulation.checks.History;
import org.apache.crail.simulation.checks.Promise;
import org.apache.crail.simulation.clock.Scheduler;
import org.apache.crail.simulation.clock.SimulatedProcess;
import org.apache.crail.simulation.model.Model;
import org.apache.crail.simulation.network.Network;

/** A cluster, its clients, and what goes wrong, as the seed decides. Confined to its scheduler. */
public final class Scenario {
    private static final long SECOND_NS = 1_000_000_000L;

    /** Until when things go wrong. */
    private static final long STORMY_NS = 120 * SECOND_NS;

    /** By when everything has ended that can be under way when nothing goes wrong any more. */
    private static final long CALM_NS = 600 * SECOND_NS;

    private static final long SLICE_NS = SECOND_NS / 2;

    private final Scheduler scheduler;
    private final Network network;
    private final History history;
    private final SplittableRandom random;
    private final Settings settings;
    private final Model model;
    private final Cluster cluster;
    private final SimulatedProcess fate;
    private final List<Client> clients = new ArrayList<>();
    private int started;
    private long requests;

    /** Makes the scenario of the scheduler's seed. */
    public Scenario(Scheduler scheduler, Network network, History history) throws CrailException {
        this.scheduler = scheduler;
        this.network = network;
        this.history = history;
        this.random = scheduler.random().split();
        this.settings = Settings.of(random);
        this.model = new Model(history);
        this.cluster = new Cluster(scheduler, network, settings, history);
        this.fate = scheduler.process("fate");
    }

    /** Runs it, until a promise is broken or all is done. */
    public void run() {
        scheduler.after(fate, 0, () -> history.add(settings.toString()));
        scheduler.afterStep(this::checkBlocks);
        cluster.start();
        scheduler.runUntil(scheduler.nanoTime() + SECOND_NS);
        for (int i = 0; i < settings.clients(); i++) {
            startClient();
        }
        network.pauses(settings.pauses());
        network.mostDelayNs(settings.delays() ? 1 + random.nextLong(3 * SECOND_NS) : 0);
        goWrongLater();
        runWhileBusy(STORMY_NS);
        scheduler.after(fate, 0, () -> history.add("calm from here on"));
        network.heal();
        fate.crash();
        runWhileBusy(CALM_NS);
        if (history.breach() == null) {
            end();
        }
    }

    private void end() {
        for (Client client : clients) {
            if (!client.hasEnded() && !client.process().hasCrashed()) {
                history.broken(Promise.ENDS, client.process() + " is still " + client.doing());
            }
        }
        Client last = newClient();
        scheduler.start(last.process(), last::lookAtAll);
        scheduler.runUntil(scheduler.nanoTime() + CALM_NS / 4);
        if (!last.hasEnded()) {
            history.broken(Promise.ENDS, "the last look is still " + last.doing());
        }
    }

    private void runWhileBusy(long limitNs) {
        long endNs = scheduler.nanoTime() + limitNs;
        while (scheduler.nanoTime() < endNs && history.breach() == null && isBusy()) {
            scheduler.runUntil(scheduler.nanoTime() + SLICE_NS);
        }
    }

    private boolean isBusy() {
        return clients.stream()
                .anyMatch(client -> !client.hasEnded() && !client.process().hasCrashed());
    }

    private Client newClient() {
        return new Client(scheduler, scheduler.process("client" + started++), cluster, settings, model, history);
    }

    private void startClient() {
        Client client = newClient();
        clients.add(client);
        scheduler.start(client.process(), client);
    }

    private void checkBlocks() {
        long now = cluster.requests();
        if (now != requests) {
            requests = now;
            cluster.checkBlocks();
        }
    }

    private void goWrongLater() {
        long mostNs = settings.duels() ? SECOND_NS : 6 * SECOND_NS;
        scheduler.after(fate, random.nextLong(1 + random.nextLong(mostNs)), () -> {
            goWrong();
            goWrongLater();
        });
    }

    private void goWrong() {
        switch (random.nextInt(5)) {
            case 0 -> {
                if (settings.breaks()) {
                    network.breakOne();
                }
            }
            case 1 -> {
                if (settings.cuts()) {
                    cut();
                }
            }
            case 2 -> {
                if (settings.pauses()) {
                    pause();
                }
            }
            case 3 -> {
                if (settings.crashes() && random.nextInt(3) == 0) {
                    crash();
                }
            }
            default -> {
                if (settings.restarts() && random.nextInt(4) == 0) {
                    history.add("a datanode starts anew");
                    network.count("datanode restarted");
                    cluster.restartDatanode();
                }
            }
        }
    }

    private SimulatedProcess anyClient() {
        List<Client> living = clients.stream()
                .filter(client -> !client.process().hasCrashed())
                .toList();
        return living.isEmpty()
                ? fate
                : living.get(random.nextInt(living.size())).process();
    }

    private SimulatedProcess anyServer() {
        List<SimulatedProcess> servers = cluster.servers();
        return servers.get(random.nextInt(servers.size()));
    }

    private void cut() {
        SimulatedProcess client = random.nextInt(4) > 0 ? anyClient() : anyServer();
        SimulatedProcess server = anyServer();
        long durationNs = random.nextLong(1 + random.nextLong(12 * SECOND_NS));
        history.add("cut between " + client + " and " + server + " for " + durationNs / 1_000_000 + " ms");
        network.count("way cut");
        network.cut(client, server, scheduler.nanoTime() + durationNs);
    }

    /** A client for longer than tokens live, now and then; servers for shorter than datanodes are missed. */
    private void pause() {
        boolean isClient = random.nextInt(3) > 0;
        SimulatedProcess process = isClient ? anyClient() : anyServer();
        if (process == fate) {
            return;
        }
        long mostNs = isClient ? 3 * settings.tokenMs() * 1_000_000 : 6 * SECOND_NS;
        long durationNs = random.nextLong(1 + random.nextLong(mostNs));
        history.add("stop " + process + " for " + durationNs / 1_000_000 + " ms");
        network.count(isClient ? "client stopped" : "server stopped");
        process.pauseUntil(scheduler.nanoTime() + durationNs);
    }

    private void crash() {
        SimulatedProcess process = anyClient();
        if (process != fate) {
            history.add(process + " crashes");
            network.count("client crashed");
            process.crash();
            network.breakAllOf(process);
            startClient();
        }
    }

    /** Bytes that were read and compared. */
    public long verifiedBytes() {
        return model.verified();
    }
}
