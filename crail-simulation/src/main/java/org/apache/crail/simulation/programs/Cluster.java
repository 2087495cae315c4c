/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.programs;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.core.CoreDataStore;
import org.apache.crail.error.CrailException;
import org.apache.crail.namenode.NameNodeService;
import org.apache.crail.namenode.NamenodeClock;
import org.apache.crail.namenode.NamenodeSettings;
import org.apache.crail.rpc.client.NamenodeConnection;
import org.apache.crail.rpc.message.CheckRequest;
import org.apache.crail.rpc.message.CheckResponse;
import org.apache.crail.rpc.message.Operation;
import org.apache.crail.rpc.server.MetadataAcceptor;
import org.apache.crail.simulation.checks.History;
import org.apache.crail.simulation.checks.Promise;
import org.apache.crail.simulation.clock.Scheduler;
import org.apache.crail.simulation.clock.SimulatedProcess;
import org.apache.crail.simulation.network.Datanode;
import org.apache.crail.simulation.network.Network;
import org.apache.crail.simulation.network.SimulatedTier;
import org.apache.crail.simulation.network.SimulatedTransport;

/** A namenode and datanodes, each a process of the simulation. Confined to its scheduler. */
final class Cluster {
    private static final int DATANODES = 2;
    private static final int FIRST_PORT = 1;
    private static final long START_MS = 1_700_000_000_000L;
    private static final long RECLAIM_MS = 50;

    private final Scheduler scheduler;
    private final Network network;
    private final Settings settings;
    private final History history;
    private final SimulatedProcess namenode;
    private final List<SimulatedProcess> datanodes = new ArrayList<>();
    private final NameNodeService service;
    private long incarnations = 1;

    Cluster(Scheduler scheduler, Network network, Settings settings, History history) throws CrailException {
        this.scheduler = scheduler;
        this.network = network;
        this.settings = settings;
        this.history = history;
        this.namenode = scheduler.process("namenode");
        CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        conf.set("crail.blocksize", Integer.toString(Settings.BLOCK_BYTES));
        conf.set("crail.smallblocksize", Integer.toString(settings.partBytes()));
        conf.set("crail.directoryrecord", "512");
        conf.set("crail.tokenexpiration", settings.tokenMs() + "ms");
        conf.set("crail.storage.keepalive", "1s");
        service = new NameNodeService(NamenodeSettings.of(conf, START_MS), new VirtualClock());
    }

    /** Time as the namenode sees it. */
    private final class VirtualClock implements NamenodeClock {
        @Override
        public long nanoTime() {
            return scheduler.nanoTime();
        }

        @Override
        public long currentTimeMillis() {
            return START_MS + scheduler.nanoTime() / 1_000_000;
        }
    }

    void start() {
        scheduler.after(namenode, 0, () -> {
            network.listen(namenode, new MetadataAcceptor(service));
            scheduler.every(RECLAIM_MS, service::reclaim);
        });
        for (int i = 0; i < DATANODES; i++) {
            startDatanode(FIRST_PORT + i);
        }
    }

    private void startDatanode(int port) {
        SimulatedProcess process = scheduler.process("datanode" + port);
        datanodes.removeIf(former -> former.name().equals(process.name()));
        datanodes.add(process);
        scheduler.after(process, 1, () -> {
            try {
                NamenodeConnection connection = NamenodeConnection.of(
                        new SimulatedTransport(),
                        () -> InetSocketAddress.createUnresolved("namenode", 1),
                        clientConfiguration(false));
                Object ignored = new Datanode(
                        network,
                        process,
                        port,
                        settings.blocks(),
                        Settings.BLOCK_BYTES,
                        START_MS + incarnations++,
                        connection);
            } catch (CrailException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** Kills a datanode and starts it again, without its data. */
    void restartDatanode() {
        SimulatedProcess killed = datanodes.get(scheduler.random().nextInt(datanodes.size()));
        killed.crash();
        network.breakAllOf(killed);
        startDatanode(Integer.parseInt(killed.name().substring("datanode".length())));
    }

    CrailConfiguration clientConfiguration(boolean isLocal) throws CrailException {
        CrailConfiguration conf = CrailConfiguration.createEmptyConfiguration();
        conf.set(CrailKeys.NAMENODE_RPC_TYPE.name(), SimulatedTransport.class.getName());
        conf.set(CrailKeys.STORAGE_TYPES.name(), SimulatedTier.class.getName());
        conf.set(SimulatedTier.LOCAL, Boolean.toString(isLocal));
        conf.set("crail.namenode.address", "crail://127.0.0.1:9060");
        conf.set("crail.buffersize", "32768");
        conf.set("crail.slicesize", scheduler.random().nextBoolean() ? "1024" : "16384");
        conf.set("crail.rpctimeout", settings.rpcTimeoutMs() + "ms");
        conf.set("crail.datatimeout", settings.dataTimeoutMs() + "ms");
        conf.set("crail.connecttimeout", settings.rpcTimeoutMs() + "ms");
        conf.set("crail.directoryrandomize", "false");
        return conf;
    }

    CoreDataStore open(boolean isLocal) throws Exception {
        return CoreDataStore.open(clientConfiguration(isLocal));
    }

    /** The namenode and the datanodes. */
    List<SimulatedProcess> servers() {
        List<SimulatedProcess> all = new ArrayList<>(datanodes);
        all.add(namenode);
        return all;
    }

    /** Counts all blocks. */
    void checkBlocks() {
        try {
            CheckResponse check = service.check(new CheckRequest());
            long sum = check.free() + check.allocated() + check.pending();
            if (sum != check.registered() || !check.problems().isEmpty()) {
                history.broken(Promise.CONSERVATION, check.toString());
            }
        } catch (CrailException e) {
            history.broken(Promise.CONSERVATION, e.toString());
        }
    }

    /** How many requests of clients and datanodes have been executed. */
    long requests() {
        return Arrays.stream(Operation.values())
                .mapToLong(service.counters()::of)
                .sum();
    }
}
