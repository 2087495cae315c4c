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

    /** After so long a datanode is missed. */
    private static final long SILENCE_NS = 8 * SECOND_NS;

    private static final long LONGEST_STOP_NS = 4 * SILENCE_NS;
    private static final long MOST_SHIFT_MS = 3_600_000;

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
    private boolean isDown;

    /** Makes the scenario of the scheduler's seed. */
    public Scenario(Scheduler scheduler, Network network, History history) {
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
    public void run() throws CrailException {
        scheduler.after(fate, 0, () -> history.add(settings.toString()));
        scheduler.afterStep(cluster::checkBlocks);
        cluster.start();
        scheduler.runUntil(scheduler.nanoTime() + SECOND_NS);
        for (int i = 0; i < settings.clients(); i++) {
            startClient();
        }
        network.pauses(settings.has(Fault.PAUSES));
        network.mostDelayNs(settings.has(Fault.DELAYS) ? 1 + random.nextLong(3 * SECOND_NS) : 0);
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

    private void end() throws CrailException {
        for (Client client : clients) {
            if (!client.hasEnded() && !client.process().hasCrashed()) {
                history.broken(Promise.ENDS, client.process() + " is still " + client.doing());
            }
        }
        scheduler.runUntil(scheduler.nanoTime() + LONGEST_STOP_NS + 4 * settings.tokenMs() * 1_000_000);
        cluster.checkDatanodes();
        LastLook last = new LastLook(scheduler, network, cluster, settings, model, history);
        scheduler.start(scheduler.process("last"), last);
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

    private void startClient() {
        SimulatedProcess process = scheduler.process("client" + started++);
        Client client = new Client(scheduler, process, network, cluster, settings, model, history);
        clients.add(client);
        scheduler.start(process, client);
    }

    private void goWrongLater() {
        long mostNs = settings.focus() == Focus.ONE_FILE ? SECOND_NS : 6 * SECOND_NS;
        scheduler.after(fate, random.nextLong(1 + random.nextLong(mostNs)), () -> {
            goWrong();
            goWrongLater();
        });
    }

    private void goWrong() {
        Fault[] all = Fault.values();
        Fault fault = all[random.nextInt(all.length)];
        if (!settings.has(fault)) {
            return;
        }
        switch (fault) {
            case DELAYS -> {} // all the time
            case BREAKS -> network.breakOne();
            case CUTS -> cut();
            case PAUSES -> pause();
            case CRASHES -> seldom(3, this::crash);
            case RESTARTS -> seldom(4, this::restartDatanode);
            case TWINS -> seldom(4, this::startTwin);
            case NAMENODES -> seldom(8, this::restartNamenode);
            default -> throw new IllegalStateException("unknown fault " + fault);
        }
    }

    private void seldom(int times, Runnable what) {
        if (random.nextInt(times) == 0) {
            what.run();
        }
    }

    private void restartDatanode() {
        history.add("a datanode starts anew");
        network.count("datanode restarted");
        cluster.restartDatanode();
    }

    private void startTwin() {
        network.count("datanode doubled");
        cluster.startTwin(random.nextInt(3) == 0 ? 0 : random.nextLong(LONGEST_STOP_NS));
    }

    private void restartNamenode() {
        if (isDown) {
            return;
        }
        isDown = true;
        long killedNs = scheduler.nanoTime();
        long downNs = random.nextLong(1 + random.nextLong(10 * SECOND_NS));
        long shiftMs = random.nextBoolean() ? 0 : random.nextLong(2 * MOST_SHIFT_MS) - MOST_SHIFT_MS;
        history.add("the namenode is killed, for " + downNs / 1_000_000 + " ms; the clock is shifted by " + shiftMs);
        network.count("namenode restarted");
        cluster.restartNamenode(downNs, shiftMs, () -> {
            isDown = false;
            model.forgotten(killedNs, scheduler.nanoTime());
        });
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
