/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import java.io.IOException;
import java.util.List;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.CrailException;
import org.apache.crail.storage.StorageClient;
import org.apache.crail.storage.StorageServer;
import org.apache.crail.storage.StorageTier;
import org.apache.crail.verbs.NativeVerbs;

/**
 * Storage on the namespaces of NVMe over Fabrics targets. The options of a datanode are {@code -a} host and {@code -p}
 * port of the target, {@code -nqn} subsystem, {@code -n} namespace, {@code -hostnqn} name of the host, {@code -o}
 * offset and {@code -l} limit of the range. All methods are thread safe.
 */
public final class NvmfStorageTier implements StorageTier {
    private final NvmfCounters counters = new NvmfCounters();

    /** Makes a tier; touches no device. */
    public NvmfStorageTier() {}

    @Override
    public String name() {
        return "nvmf";
    }

    @Override
    public Throwable unavailabilityCause() {
        return NativeVerbs.unavailabilityCause();
    }

    /** What the clients of this tier have done. */
    public NvmfCounters counters() {
        return counters;
    }

    @Override
    public StorageClient createClient(CrailConfiguration configuration) throws CrailException {
        NvmfClientSettings settings = NvmfClientSettings.of(configuration);
        requireAvailable();
        return new NvmfStorageClient(settings, target -> open(target, settings), counters);
    }

    private SectorDevice open(Target target, NvmfClientSettings settings) throws IOException {
        JnvmfController controller = JnvmfController.connect(target, settings.connectTimeoutMs());
        SectorDevice device = null;
        try {
            device = new JnvmfDevice(controller, settings.queueSize(), counters);
            return device;
        } finally {
            if (device == null) {
                controller.close();
            }
        }
    }

    /** Nowhere: the target does, and several datanodes of a host may share it. */
    @Override
    public String listensAt(CrailConfiguration configuration, List<String> arguments) throws ConfigurationException {
        NvmfDatanodeSettings.check(configuration, arguments);
        return "";
    }

    @Override
    public StorageServer launchServer(CrailConfiguration configuration, List<String> arguments) throws CrailException {
        NvmfDatanodeSettings settings = NvmfDatanodeSettings.of(configuration, arguments);
        requireAvailable();
        NvmfConnector<WatchedTarget> connector = new NvmfConnector<>(
                target -> new JnvmfTarget(target, settings.connectTimeoutMs()), WatchedTarget::close);
        return NvmfStorageServer.start(
                settings, given -> connector.connect("datanode", given.target(), given.connectTimeoutMs()));
    }
}
