/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import java.util.List;
import java.util.Optional;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.CrailException;
import org.apache.crail.internal.SharedThreads;
import org.apache.crail.netty.EventLoops;
import org.apache.crail.netty.TcpTierKeys;
import org.apache.crail.storage.StorageClient;
import org.apache.crail.storage.StorageServer;
import org.apache.crail.storage.StorageTier;

/**
 * Storage in files, mapped where they are on tmpfs or hugetlbfs and not where they are on a disk, reached over sockets.
 * The options of a datanode are {@code -p} port, {@code -i} network interface, {@code -c} threads, {@code -d} data path
 * and {@code -l} storage limit. All methods are thread safe.
 */
public final class TcpStorageTier implements StorageTier {
    private final boolean preferEpoll;

    /** Makes a tier that uses epoll where it works and NIO elsewhere. */
    public TcpStorageTier() {
        this(true);
    }

    TcpStorageTier(boolean preferEpoll) {
        this.preferEpoll = preferEpoll;
    }

    @Override
    public String name() {
        return "tcp";
    }

    @Override
    public StorageClient createClient(CrailConfiguration configuration) throws CrailException {
        return createClient(configuration, SharedThreads.NONE);
    }

    /** Shares threads for sockets if {@code crail.storage.tcp.clientcores} asks for none of its own. */
    @Override
    public StorageClient createClient(CrailConfiguration configuration, SharedThreads shared) throws CrailException {
        TcpClientSettings settings = TcpClientSettings.of(configuration);
        int own = configuration.get(TcpTierKeys.STORAGE_CLIENT_CORES);
        Optional<EventLoops> loops = own == 0 ? shared.threads(EventLoops.class) : Optional.empty();
        return loops.isPresent()
                ? new TcpStorageClient(settings, loops.get(), false)
                : new TcpStorageClient(
                        settings, EventLoops.createShared("crail-tcp-client", own, preferEpoll, settings.idle()), true);
    }

    @Override
    public String listensAt(CrailConfiguration configuration, List<String> arguments) throws ConfigurationException {
        return TcpDatanodeSettings.listensAt(configuration, arguments);
    }

    @Override
    public StorageServer launchServer(CrailConfiguration configuration, List<String> arguments) throws CrailException {
        return new TcpStorageServer(TcpDatanodeSettings.of(configuration, arguments), preferEpoll);
    }
}
