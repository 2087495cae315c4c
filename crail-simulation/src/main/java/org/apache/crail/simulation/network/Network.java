/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.network;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.crail.rpc.transport.RpcServer;
import org.apache.crail.simulation.clock.Scheduler;
import org.apache.crail.simulation.clock.SimulatedProcess;

/**
 * What lies between processes: how long messages take, which ways are cut, who listens. Confined to its scheduler.
 */
public final class Network {
    private static final Map<Scheduler, Network> OF_SCHEDULER = Collections.synchronizedMap(new HashMap<>());
    private static final long USUAL_NS = 100_000;
    private static final int SELDOM = 40;

    private final Scheduler scheduler;
    private final SplittableRandom random;
    private final Map<String, Long> cutUntilNs = new HashMap<>();
    private final List<Connection> connections = new ArrayList<>();
    private final Map<Integer, List<Medium>> media = new TreeMap<>();
    private final Map<String, Long> faults = new TreeMap<>();
    private RpcServer.Acceptor namenode;
    private SimulatedProcess namenodeProcess;
    private long mostDelayNs = USUAL_NS;
    private boolean pauses;

    /** Makes the network of a scheduler; {@link #close} forgets it. */
    public Network(Scheduler scheduler) {
        this.scheduler = scheduler;
        this.random = scheduler.random().split();
        OF_SCHEDULER.put(scheduler, this);
    }

    /** The one of the calling thread's simulation. */
    static Network current() {
        return OF_SCHEDULER.get(Scheduler.current());
    }

    public void close() {
        OF_SCHEDULER.remove(scheduler);
    }

    Scheduler scheduler() {
        return scheduler;
    }

    SplittableRandom random() {
        return random;
    }

    /** How often each kind of fault happened. */
    public Map<String, Long> faults() {
        return faults;
    }

    /** A fault has happened. */
    public void count(String kind) {
        faults.merge(kind, 1L, Long::sum);
    }

    /** Who accepts connections to the namenode; nobody if the acceptor is null. */
    public void listen(SimulatedProcess process, RpcServer.Acceptor acceptor) {
        namenodeProcess = process;
        namenode = acceptor;
    }

    RpcServer.Acceptor namenode() {
        return namenode;
    }

    public SimulatedProcess namenodeProcess() {
        return namenodeProcess;
    }

    /** Clients that connect to its port may reach it from now on. */
    void serve(Medium medium) {
        media.computeIfAbsent(medium.port(), port -> new ArrayList<>()).add(medium);
    }

    /** How many datanodes serve at a port. */
    public int serving(int port) {
        return (int) media.getOrDefault(port, List.of()).stream()
                .filter(Medium::isServing)
                .count();
    }

    /** Whom a connection to a port reaches; null if nobody listens. Two may have one address: it leads to either. */
    Medium reach(int port) {
        List<Medium> all = media.getOrDefault(port, new ArrayList<>());
        all.removeIf(medium -> !medium.isServing());
        return all.isEmpty() ? null : all.get(all.size() == 1 ? 0 : random.nextInt(all.size()));
    }

    List<Connection> connections() {
        return connections;
    }

    /** From now on a message may take so long, now and then. */
    public void mostDelayNs(long delayNs) {
        mostDelayNs = Math.max(USUAL_NS, delayNs);
    }

    /** How long the next message takes on its way. */
    long delayNs() {
        long delay = USUAL_NS / 5 + random.nextLong(USUAL_NS);
        if (mostDelayNs > USUAL_NS && random.nextInt(SELDOM) == 0) {
            delay += random.nextLong(mostDelayNs);
            count("message delayed");
        }
        return delay;
    }

    /** How long what has been sent on a connection that has failed waits at the other end. */
    long holdNs() {
        return mostDelayNs > USUAL_NS && random.nextBoolean() ? random.nextLong(mostDelayNs) : 0;
    }

    /** Lets no message pass between two processes until that time. */
    public void cut(SimulatedProcess one, SimulatedProcess other, long untilNs) {
        cutUntilNs.merge(way(one, other), untilNs, Math::max);
    }

    /** Whether processes are stopped now and then. */
    public void pauses(boolean isOn) {
        pauses = isOn;
    }

    boolean hasPauses() {
        return pauses;
    }

    /** Mends everything. */
    public void heal() {
        pauses = false;
        cutUntilNs.clear();
        mostDelayNs(0);
    }

    /** When a message that would arrive at {@code timeNs} does arrive. */
    long passesAt(SimulatedProcess from, SimulatedProcess to, long timeNs) {
        Long until = cutUntilNs.get(way(from, to));
        return until == null || until <= timeNs ? timeNs : until + random.nextLong(USUAL_NS);
    }

    boolean isCut(SimulatedProcess one, SimulatedProcess other) {
        Long until = cutUntilNs.get(way(one, other));
        return until != null && until > scheduler.nanoTime();
    }

    private static String way(SimulatedProcess one, SimulatedProcess other) {
        return one.name().compareTo(other.name()) < 0 ? one + " " + other : other + " " + one;
    }

    /** Breaks one of the connections to the namenode. */
    public void breakOne() {
        connections.removeIf(Connection::hasEnded);
        if (!connections.isEmpty()) {
            connections.get(random.nextInt(connections.size())).fail();
            count("connection broken");
        }
    }

    /** Breaks those of a process. */
    public void breakAllOf(SimulatedProcess process) {
        connections.removeIf(Connection::hasEnded);
        for (Connection connection : List.copyOf(connections)) {
            if (connection.belongsTo(process)) {
                connection.fail();
            }
        }
    }
}
