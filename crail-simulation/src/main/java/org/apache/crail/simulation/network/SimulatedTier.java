/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.simulation.network;

import java.util.List;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.CrailException;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.simulation.clock.SimulatedProcess;
import org.apache.crail.storage.StorageClient;
import org.apache.crail.storage.StorageEndpoint;
import org.apache.crail.storage.StorageServer;
import org.apache.crail.storage.StorageTier;

/**
 * Reaches the datanodes of the calling thread's simulation. A client copies by itself if {@link #LOCAL} is true.
 * Stateless.
 */
public final class SimulatedTier implements StorageTier {
    /** The name of the key that says whether a client is on the datanodes' host. */
    public static final String LOCAL = "crail.simulation.local";

    /** The key that says whether datanodes compare epochs. */
    public static final String EPOCHS = "crail.simulation.epochs";

    /** The key that says at which port a datanode is reached. */
    public static final String PORT = "crail.simulation.port";

    /** The key that says how many blocks a datanode has. */
    public static final String BLOCKS = "crail.simulation.blocks";

    /** The key of a datanode's incarnation. */
    public static final String INCARNATION = "crail.simulation.incarnation";

    /** A device gives up a transfer in this part of a lease. */
    private static final double PART_OF_LEASE = 0.8;

    @Override
    public String name() {
        return "simulated";
    }

    @Override
    public StorageClient createClient(CrailConfiguration configuration) throws CrailException {
        Network network = Network.current();
        SimulatedProcess process = network.scheduler().currentProcess();
        boolean hasEpochs = Boolean.parseBoolean(configuration.get(EPOCHS));
        boolean isLocal = hasEpochs && Boolean.parseBoolean(configuration.get(LOCAL));
        long timeoutMs = configuration.get(CrailKeys.DATA_TIMEOUT).toMillis();
        long leaseMs = configuration.get(CrailKeys.TOKEN_EXPIRATION).toMillis() / 2;
        long limitMs = hasEpochs ? timeoutMs : Math.min(timeoutMs, (long) (leaseMs * PART_OF_LEASE));
        return new StorageClient() {
            @Override
            public StorageEndpoint createEndpoint(DataNodeInfo datanode) {
                return new Endpoint(network, process, datanode.getPort(), limitMs, timeoutMs > limitMs, isLocal);
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public StorageServer launchServer(CrailConfiguration configuration, List<String> arguments) throws CrailException {
        Network network = Network.current();
        Medium medium = new Medium(
                network,
                network.scheduler().currentProcess(),
                Integer.parseInt(configuration.get(PORT)),
                Integer.parseInt(configuration.get(BLOCKS)),
                Math.toIntExact(configuration.get(CrailKeys.BLOCK_SIZE)),
                Long.parseLong(configuration.get(INCARNATION)),
                Boolean.parseBoolean(configuration.get(EPOCHS)));
        network.serve(medium);
        return medium;
    }
}
