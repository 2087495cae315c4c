/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.CrailException;
import org.apache.crail.netty.EventLoops;
import org.apache.crail.netty.SocketAddresses;
import org.apache.crail.netty.TargetedReceive;
import org.apache.crail.rpc.message.Region;
import org.apache.crail.storage.StorageServer;
import org.apache.crail.storage.memory.BlockFence;
import org.apache.crail.storage.memory.DataDirectory;
import org.apache.crail.storage.memory.LocalOffer;
import org.apache.crail.storage.memory.MappedRegion;
import org.apache.crail.storage.memory.MemoryTierSettings;

/** A datanode's side of the tier. All methods are thread safe. */
final class TcpStorageServer implements StorageServer {
    private static final int BACKLOG = 1024;
    private static final WriteBufferWaterMark UNREAD_REPLIES = new WriteBufferWaterMark(1 << 20, 4 << 20);
    private static final long CLOSE_LIMIT_MS = 5_000;

    private final DatanodeSettings settings;
    private final EventLoops loops;
    private final ChannelGroup accepted = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final RegionTable regions = new RegionTable();
    private final ClientTable clients = new ClientTable();
    private final Channel listening;
    private final DataDirectory directory;
    private long allocatedBytes;
    private boolean closed;

    /** Binds and takes a directory; regions are made one by one. */
    TcpStorageServer(DatanodeSettings settings, boolean preferEpoll) throws CrailException {
        this.settings = settings;
        this.loops = EventLoops.create("crail-tcp-server", settings.threads(), preferEpoll);
        boolean done = false;
        try {
            this.listening = listen();
            this.directory = settings.memory().claimDirectory(address());
            listening.config().setAutoRead(true);
            done = true;
        } finally {
            if (!done) {
                loops.close();
            }
        }
    }

    private Channel listen() throws CrailException {
        ChannelFuture bound = new ServerBootstrap()
                .group(loops.group())
                .channel(loops.serverSocketType())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.AUTO_READ, false) // nobody is accepted before there is a directory
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, UNREAD_REPLIES)
                .childHandler(new Initializer())
                .bind(settings.memory().bind())
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw SocketAddresses.bindError(
                    "the datanode", settings.memory().bind(), "-- -p or crail.storage.tcp.port", bound.cause());
        }
        return bound.channel();
    }

    @Override
    public InetSocketAddress address() {
        return (InetSocketAddress) listening.localAddress();
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
        MappedRegion region = directory.createRegion(length, memory.blockBytes());
        long lba = allocatedBytes;
        allocatedBytes += length;
        BlockFence fence = settings.mapped()
                ? directory.shareRegion(region, memory.totalBytes() - allocatedBytes)
                : BlockFence.inProcess(region.blocks());
        int key = regions.add(region, fence);
        return Optional.of(new Region(lba, 0, length, key));
    }

    @Override
    public long incarnation() {
        return directory.incarnation();
    }

    @Override
    public boolean isAlive() {
        return listening.isActive();
    }

    /** Connections that are open. */
    int connections() {
        return accepted.size();
    }

    /** Bytes of replies that wait for their clients to read. */
    long pendingReplyBytes() {
        return accepted.stream()
                .mapToLong(channel -> channel.unsafe().outboundBuffer() == null
                        ? 0
                        : channel.unsafe().outboundBuffer().totalPendingWriteBytes())
                .sum();
    }

    DataDirectory directory() {
        return directory;
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        listening.close().awaitUninterruptibly(CLOSE_LIMIT_MS);
        accepted.close().awaitUninterruptibly(CLOSE_LIMIT_MS);
        loops.close();
        directory.close();
    }

    private final class Initializer extends ChannelInitializer<Channel> {
        @Override
        protected void initChannel(Channel channel) {
            accepted.add(channel);
            LocalOffer offer = settings.mapped() && SocketAddresses.isSameHost(channel)
                    ? directory.offer(regions.firstKey())
                    : null;
            ServerConnection connection = new ServerConnection(channel, regions, clients, settings.clusterId(), offer);
            channel.config().setRecvByteBufAllocator(new TargetedReceive(connection, TransferHandler.READS_PER_EVENT));
            channel.pipeline().addLast(connection);
        }
    }
}
