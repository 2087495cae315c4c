/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.programs;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.core.CoreDataStore;
import org.apache.crail.error.CrailException;
import org.apache.crail.internal.Surroundings;
import org.apache.crail.namenode.NamenodeClock;
import org.apache.crail.namenode.NamenodeSettings;
import org.apache.crail.rpc.message.CheckRequest;
import org.apache.crail.rpc.server.MetadataAcceptor;
import org.apache.crail.simulation.checks.History;
import org.apache.crail.simulation.checks.Promise;
import org.apache.crail.simulation.clock.Scheduler;
import org.apache.crail.simulation.clock.SimulatedProcess;
import org.apache.crail.simulation.network.Network;
import org.apache.crail.simulation.network.SimulatedTier;
import org.apache.crail.simulation.network.SimulatedTransport;
import org.apache.crail.storage.datanode.Datanode;

/**
 * A namenode and datanodes, each a process of the simulation. Datanodes that end while nobody else has their address
 * are started again. Confined to its scheduler.
 */
final class Cluster {
    private static final int DATANODES = 2;
    private static final int FIRST_PORT = 1;
    private static final long START_MS = 1_700_000_000_000L;
    private static final long RECLAIM_MS = 50;
    private static final long START_AGAIN_NS = 1_000_000_000L;

    /** Incarnations have the time in front of so many random bits. */
    private static final int INCARNATION_SHIFT = 20;

    private final Scheduler scheduler;
    private final Network network;
    private final Settings settings;
    private final History history;
    private final SplittableRandom random;
    private final SimulatedProcess supervisor;
    private final List<Server> datanodes = new ArrayList<>();
    private SimulatedProcess namenode;
    private WatchedNamenode service;
    private long clockShiftMs;
    private int lives;

    /** A process of a datanode. */
    private record Server(SimulatedProcess process, int port) {}

    Cluster(Scheduler scheduler, Network network, Settings settings, History history) {
        this.scheduler = scheduler;
        this.network = network;
        this.settings = settings;
        this.history = history;
        this.random = scheduler.random().split();
        this.supervisor = scheduler.process("supervisor");
    }

    /** Time as the namenode sees it. */
    private final class VirtualClock implements NamenodeClock {
        private final long shiftMs = clockShiftMs;

        @Override
        public long nanoTime() {
            return scheduler.nanoTime();
        }

        @Override
        public long currentTimeMillis() {
            return nowMs() + shiftMs;
        }
    }

    private long nowMs() {
        return START_MS + scheduler.nanoTime() / 1_000_000;
    }

    void start() throws CrailException {
        startNamenode();
        for (int i = 0; i < DATANODES; i++) {
            startDatanode(FIRST_PORT + i);
        }
    }

    private void startNamenode() throws CrailException {
        namenode = scheduler.process("namenode");
        VirtualClock clock = new VirtualClock();
        CrailConfiguration conf = configuration();
        conf.set("crail.smallblocksize", Integer.toString(settings.partBytes()));
        conf.set("crail.namenode.evict", settings.evicts() ? ValueProgram.TABLE : "");
        service = new WatchedNamenode(NamenodeSettings.of(conf, clock.currentTimeMillis()), clock, network, history);
        WatchedNamenode mine = service;
        scheduler.after(namenode, 0, () -> {
            network.listen(namenode, new MetadataAcceptor(mine));
            scheduler.every(RECLAIM_MS, mine::reclaimDue);
        });
    }

    /** Kills the namenode; some time later another one starts, which knows nothing, by a clock that is set anew. */
    void restartNamenode(long downNs, long shiftMs, Runnable whenStarted) {
        namenode.crash();
        network.listen(namenode, null);
        network.breakAllOf(namenode);
        scheduler.after(supervisor, downNs, () -> {
            clockShiftMs = shiftMs;
            try {
                startNamenode();
            } catch (CrailException e) {
                throw new IllegalStateException(e);
            }
            whenStarted.run();
        });
    }

    private void startDatanode(int port) {
        SimulatedProcess process = scheduler.process("datanode" + port + "." + lives++);
        datanodes.removeIf(server -> server.process.hasCrashed());
        datanodes.add(new Server(process, port));
        scheduler.start(process, () -> runDatanode(process, port));
    }

    /** As the command of a datanode does: until another one has its place. */
    private void runDatanode(SimulatedProcess process, int port) {
        String end = "has been replaced";
        try {
            CrailConfiguration conf = serverConfiguration(port);
            Datanode datanode = Datanode.start(conf, new SimulatedTransport(), null, -1, List.of());
            history.add("is ready");
            long ignored = Surroundings.beforeWait(datanode.replaced(), Long.MAX_VALUE);
            datanode.close();
        } catch (CrailException e) {
            end = "does not start: " + e;
        }
        history.add(process + " " + end);
        network.count("datanode gave way");
        process.crash();
        network.breakAllOf(process);
        scheduler.after(supervisor, START_AGAIN_NS, () -> startAgain(port));
    }

    private void startAgain(int port) {
        boolean isTaken = datanodes.stream().anyMatch(server -> server.port == port && !server.process.hasCrashed());
        if (!isTaken) {
            startDatanode(port);
        }
    }

    private Server anyDatanode() {
        List<Server> living = datanodes.stream()
                .filter(server -> !server.process.hasCrashed())
                .toList();
        return living.isEmpty() ? null : living.get(random.nextInt(living.size()));
    }

    /** Kills a datanode and starts it again, without its data. */
    void restartDatanode() {
        Server killed = anyDatanode();
        if (killed != null) {
            killed.process.crash();
            network.breakAllOf(killed.process);
            startAgain(killed.port);
        }
    }

    /** Starts a second datanode under the address of one, which may have been stopped for so long that it is missed. */
    void startTwin(long stoppedNs) {
        Server first = anyDatanode();
        if (first != null) {
            first.process.pauseUntil(scheduler.nanoTime() + stoppedNs);
            history.add(first.process + " is stopped for " + stoppedNs / 1_000_000 + " ms, and another one started");
            startDatanode(first.port);
        }
    }

    private CrailConfiguration configuration() {
        CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        conf.set("crail.blocksize", Integer.toString(Settings.BLOCK_BYTES));
        conf.set("crail.tokenexpiration", settings.tokenMs() + "ms");
        conf.set("crail.storage.keepalive", "1s");
        conf.set("crail.rpctimeout", settings.rpcTimeoutMs() + "ms");
        conf.set("crail.connecttimeout", settings.rpcTimeoutMs() + "ms");
        conf.set("crail.datatimeout", settings.dataTimeoutMs() + "ms");
        conf.set(CrailKeys.NAMENODE_RPC_TYPE.name(), SimulatedTransport.class.getName());
        conf.set(CrailKeys.STORAGE_TYPES.name(), SimulatedTier.class.getName());
        conf.set("crail.namenode.address", "crail://127.0.0.1:9060");
        conf.set(SimulatedTier.EPOCHS, Boolean.toString(settings.comparesEpochs()));
        return conf;
    }

    private CrailConfiguration serverConfiguration(int port) {
        CrailConfiguration conf = configuration();
        conf.set("crail.datanode.host", "localhost");
        conf.set(SimulatedTier.PORT, Integer.toString(port));
        conf.set(SimulatedTier.BLOCKS, Integer.toString(settings.blocks()));
        long incarnation = nowMs() << INCARNATION_SHIFT | random.nextInt(1 << INCARNATION_SHIFT);
        conf.set(SimulatedTier.INCARNATION, Long.toString(incarnation));
        return conf;
    }

    private CrailConfiguration clientConfiguration(boolean isLocal) {
        CrailConfiguration conf = configuration();
        conf.set(SimulatedTier.LOCAL, Boolean.toString(isLocal));
        conf.set("crail.buffersize", "32768");
        conf.set("crail.slicesize", random.nextBoolean() ? "1024" : "16384");
        conf.set("crail.directoryrandomize", "false");
        return conf;
    }

    CoreDataStore open(boolean isLocal) throws Exception {
        return CoreDataStore.open(clientConfiguration(isLocal));
    }

    /** The namenode and the datanodes. */
    List<SimulatedProcess> servers() {
        List<SimulatedProcess> all = new ArrayList<>();
        datanodes.stream()
                .map(Server::process)
                .filter(process -> !process.hasCrashed())
                .forEach(all::add);
        all.add(namenode);
        return all;
    }

    /** Counts all blocks, if anything has changed. */
    void checkBlocks() {
        service.checkBlocks();
    }

    /** When nothing goes wrong any more, each address has one datanode. */
    void checkDatanodes() {
        for (int port = FIRST_PORT; port < FIRST_PORT + DATANODES; port++) {
            int serving = network.serving(port);
            if (serving != 1) {
                history.broken(Promise.ONE_DATANODE, serving + " datanodes serve at port " + port);
            }
        }
    }

    /** Whether hardly any blocks can be had. */
    boolean isFull() throws CrailException {
        return service.isFull();
    }

    /** Blocks that nodes hold. */
    long heldBlocks() throws CrailException {
        return service.check(new CheckRequest()).allocated();
    }
}
