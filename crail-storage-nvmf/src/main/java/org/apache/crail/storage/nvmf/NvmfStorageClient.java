/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.crail.error.CrailException;
import org.apache.crail.internal.BackgroundThreads;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.storage.StorageClient;
import org.apache.crail.storage.StorageEndpoint;
import org.apache.crail.storage.device.DeviceLoop;
import org.apache.crail.storage.device.DirectClient;
import org.apache.crail.storage.device.DirectSession;

/** A store's side of the tier: its connections, and the thread that takes completions. All methods are thread safe. */
final class NvmfStorageClient implements StorageClient {
    /** jNVMf has no events to wait for, so while there are commands, completions are looked for as often as this. */
    private static final long LOOK_AGAIN_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private final NvmfClientSettings settings;
    private final NvmfCounters counters;
    private final NvmfConnector<SectorDevice> connector;
    private final DeviceLoop loop;
    private final DirectClient<NvmfTransfer> endpoints;
    private final FormerWrites formerWrites = new FormerWrites();

    /** Makes a client. */
    NvmfStorageClient(NvmfClientSettings settings, NvmfConnector.Opener<SectorDevice> opener, NvmfCounters counters) {
        this.settings = settings;
        this.counters = counters;
        this.connector = new NvmfConnector<>(opener, SectorDevice::destroy);
        this.loop = new DeviceLoop("crail-nvmf-completions", NvmfStorageClient::pause, true, () -> {});
        this.endpoints = new DirectClient<>("nvmf", settings.limits(), this::connect, NvmfTransfer::new);
    }

    /** In the place of an event, since jNVMf gives none. */
    private static boolean pause(int timeoutMs) {
        LockSupport.parkNanos(LOOK_AGAIN_NS);
        return false;
    }

    private SectorSession connect(DataNodeInfo datanode, DirectSession.Listener listener) throws IOException {
        formerWrites.await(datanode, settings.settleMs() + settings.connectTimeoutMs());
        SectorDevice device = connector.connect(datanode.identity(), Target.of(datanode), settings.connectTimeoutMs());
        SectorSession session = null;
        try {
            session = new SectorSession(
                    device,
                    settings,
                    loop,
                    counters,
                    listener,
                    settled -> formerWrites.add(datanode, settled),
                    BackgroundThreads.executor());
        } finally {
            if (session == null) {
                device.destroy();
            }
        }
        counters.countConnection();
        loop.add(session);
        new KeepAlive(session, settings.keepAliveMs(), endpoints.executor()).start();
        return session;
    }

    @Override
    public StorageEndpoint createEndpoint(DataNodeInfo datanode) throws CrailException {
        return endpoints.createEndpoint(datanode);
    }

    @Override
    public void close() {
        formerWrites.close();
        endpoints.close();
        loop.close(endpoints.closedError());
    }
}
