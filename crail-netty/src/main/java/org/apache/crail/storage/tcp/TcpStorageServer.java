/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import io.netty.channel.Channel;
import io.netty.channel.WriteBufferWaterMark;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.Set;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.CrailException;
import org.apache.crail.local.block.BlockFence;
import org.apache.crail.local.block.MappedRegion;
import org.apache.crail.local.block.RegionName;
import org.apache.crail.metadata.Region;
import org.apache.crail.netty.EventLoops;
import org.apache.crail.netty.SocketAddresses;
import org.apache.crail.netty.SocketServer;
import org.apache.crail.netty.TargetedReceive;
import org.apache.crail.storage.StorageServer;
import org.apache.crail.storage.file.DataDirectory;
import org.apache.crail.storage.file.DiskRegion;
import org.apache.crail.storage.file.MemoryTierSettings;

/** A datanode's side of the tier. All methods are thread safe. */
final class TcpStorageServer implements StorageServer {
    private static final WriteBufferWaterMark UNREAD_REPLIES = new WriteBufferWaterMark(1 << 20, 4 << 20);

    private final TcpDatanodeSettings settings;
    private final EventLoops loops;
    private final RegionTable regions = new RegionTable();
    private final ClientTable clients = new ClientTable();
    private final SocketServer sockets;
    private final DataDirectory directory;
    private long allocatedBytes;
    private boolean closed;

    /** Binds and takes a directory; regions are made one by one. */
    TcpStorageServer(TcpDatanodeSettings settings, boolean preferEpoll) throws CrailException {
        this.settings = settings;
        this.loops = EventLoops.create("crail-tcp-server", settings.threads(), preferEpoll, settings.idle());
        boolean done = false;
        try {
            this.sockets = new SocketServer(
                    loops,
                    settings.memory().bind(),
                    new SocketServer.Service(
                            "the datanode", "-- -p or crail.storage.tcp.port", UNREAD_REPLIES, this::onConnection));
            this.directory = settings.memory().claimDirectory(address());
            sockets.start(settings.localSockets());
            done = true;
        } finally {
            if (!done) {
                loops.close();
            }
        }
    }

    @Override
    public InetSocketAddress address() {
        return sockets.address();
    }

    @Override
    public synchronized Optional<Region> allocateRegion() throws CrailException {
        if (closed) {
            throw new ClosedException("the datanode has been closed and allocates nothing");
        }
        MemoryTierSettings memory = settings.memory();
        long length = Math.min(memory.regionBytes(), memory.totalBytes() - allocatedBytes);
        if (length == 0) {
            return Optional.empty();
        }
        long toCome = memory.totalBytes() - allocatedBytes - length;
        int key = directory.isInMemory() ? addMapped(length, toCome) : addOnDisk(length);
        long lba = allocatedBytes;
        allocatedBytes += length;
        return Optional.of(new Region(lba, 0, length, key));
    }

    private int addMapped(long length, long toCome) throws CrailException {
        MappedRegion region = directory.createRegion(length, settings.memory().blockBytes());
        region.needFence();
        RegionName name = new RegionName(regions.nextKey(), 0, 0, 0);
        Optional<BlockFence> shared =
                settings.mapped() ? directory.shareRegion(region, toCome, name) : Optional.empty();
        Optional<FileChannel> pages =
                settings.localSockets().isPresent() ? directory.openPages(region) : Optional.empty();
        return regions.add(region, pages, shared.orElseGet(() -> BlockFence.inProcess(region.blocks())));
    }

    private int addOnDisk(long length) throws CrailException {
        DiskRegion region = directory.createDiskRegion(length, settings.memory().blockBytes());
        return regions.add(region, Optional.empty(), BlockFence.inProcess(region.blocks()));
    }

    @Override
    public long incarnation() {
        return directory.incarnation();
    }

    @Override
    public boolean comparesEpochs() {
        return true;
    }

    @Override
    public void admitEpochs(long limit) {
        regions.admitEpochs(limit);
    }

    @Override
    public boolean isAlive() {
        return sockets.isListening() && directory.isHealthy();
    }

    /** Connections that are open. */
    Set<Channel> connections() {
        return sockets.connections();
    }

    /** Bytes of replies that wait for their clients to read. */
    long pendingReplyBytes() {
        return sockets.connections().stream()
                .mapToLong(channel -> channel.unsafe().outboundBuffer() == null
                        ? 0
                        : channel.unsafe().outboundBuffer().totalPendingWriteBytes())
                .sum();
    }

    DataDirectory directory() {
        return directory;
    }

    RegionTable regions() {
        return regions;
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        sockets.close();
        loops.close();
        directory.close();
    }

    private void onConnection(Channel channel) {
        channel.config().setMessageSizeEstimator(OpenFileRegion.ALL_BYTES);
        TcpServerConnection connection =
                new TcpServerConnection(channel, regions, clients, settings.clusterId(), () -> shortcuts(channel));
        TargetedReceive.install(channel, connection, TransferHandler.READS_PER_EVENT);
        channel.pipeline().addLast(connection);
    }

    private Shortcuts shortcuts(Channel client) {
        return new Shortcuts(
                sockets.localSocket(client).orElse(null),
                settings.mapped() && SocketAddresses.isSameHost(client) ? directory.stampedOffer() : null);
    }
}
