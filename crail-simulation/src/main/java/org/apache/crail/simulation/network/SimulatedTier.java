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

    @Override
    public String name() {
        return "simulated";
    }

    @Override
    public StorageClient createClient(CrailConfiguration configuration) throws CrailException {
        Network network = Network.current();
        SimulatedProcess process = network.scheduler().currentProcess();
        long timeoutMs = configuration.get(CrailKeys.DATA_TIMEOUT).toMillis();
        boolean isLocal = Boolean.parseBoolean(configuration.get(LOCAL));
        return new StorageClient() {
            @Override
            public StorageEndpoint createEndpoint(DataNodeInfo datanode) {
                return new Endpoint(network, process, datanode.getPort(), timeoutMs, isLocal);
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public StorageServer launchServer(CrailConfiguration configuration, List<String> arguments) {
        throw new UnsupportedOperationException("simulated datanodes start with the simulation");
    }
}
