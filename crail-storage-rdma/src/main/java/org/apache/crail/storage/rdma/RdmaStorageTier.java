/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import java.util.List;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.CrailException;
import org.apache.crail.storage.StorageClient;
import org.apache.crail.storage.StorageServer;
import org.apache.crail.storage.StorageTier;
import org.apache.crail.verbs.NativeVerbs;

/**
 * Storage in files on tmpfs or hugetlbfs, reached by one-sided RDMA. The options of a datanode are {@code -p} port,
 * {@code -i} network interface, {@code -d} data path, {@code -l} storage limit and {@code -s} to keep the data when it
 * stops. All methods are thread safe.
 */
public final class RdmaStorageTier implements StorageTier {
    private final RdmaCounters counters = new RdmaCounters();

    /** Makes a tier; touches no device. */
    public RdmaStorageTier() {}

    @Override
    public String name() {
        return "rdma";
    }

    @Override
    public Throwable unavailabilityCause() {
        return NativeVerbs.unavailabilityCause();
    }

    /** What the clients of this tier have done. */
    public RdmaCounters counters() {
        return counters;
    }

    @Override
    public StorageClient createClient(CrailConfiguration configuration) throws CrailException {
        requireVerbs();
        return new RdmaStorageClient(configuration, counters);
    }

    @Override
    public String listensAt(CrailConfiguration configuration, List<String> arguments) throws ConfigurationException {
        return RdmaDatanodeSettings.listensAt(configuration, arguments);
    }

    @Override
    public StorageServer launchServer(CrailConfiguration configuration, List<String> arguments) throws CrailException {
        RdmaDatanodeSettings settings = RdmaDatanodeSettings.of(configuration, arguments);
        requireVerbs();
        return RdmaStorageServer.start(settings);
    }

    private void requireVerbs() throws ConfigurationException {
        Throwable cause = unavailabilityCause();
        if (cause != null) {
            throw new ConfigurationException(
                    "the rdma tier does not work on this machine: " + cause.getMessage(), cause);
        }
    }
}
