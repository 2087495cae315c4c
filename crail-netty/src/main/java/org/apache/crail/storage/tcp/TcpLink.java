/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.DatanodeUnreachableException;
import org.apache.crail.internal.BackgroundThreads;
import org.apache.crail.internal.LastResort;
import org.apache.crail.local.block.LocalOffer;
import org.apache.crail.local.block.MappedBlocks;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.netty.EventLoops;
import org.apache.crail.netty.LocalSocket;
import org.apache.crail.netty.SocketAddresses;
import org.apache.crail.netty.SocketConnector;
import org.apache.crail.netty.TargetedReceive;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the connection of an endpoint: makes it for the first transfer, and anew, after a growing pause, for the first
 * one after it broke. Watches the time limits of transfers. Confined to who turns the endpoint's loop unless said
 * otherwise.
 */
final class TcpLink implements TcpClientConnection.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(TcpLink.class);
    private static final long FIRST_PAUSE_MS = 5;
    private static final long LONGEST_PAUSE_MS = 500;

    private final UUID clientId = UUID.randomUUID();
    private final DataNodeInfo datanode;
    private final TcpClientSettings settings;
    private final EventLoops loops;
    private final EventLoop loop;
    private final ArrayDeque<Transfer> waiting = new ArrayDeque<>();
    private final MappedBlocks mapped = new MappedBlocks();

    private TcpClientConnection connection;
    private boolean open;
    private boolean connecting;
    private boolean closed;
    private long pauseMs;
    private long earliestConnectNs = System.nanoTime();
    private long connectDeadlineNs;
    private Future<?> sweep;

    TcpLink(DataNodeInfo datanode, TcpClientSettings settings, EventLoops loops, EventLoop loop) {
        this.datanode = datanode;
        this.settings = settings;
        this.loops = loops;
        this.loop = loop;
    }

    /** The datanode's blocks on this host, which follow the connection. Any thread may ask. */
    MappedBlocks mapped() {
        return mapped;
    }

    /** Sends a transfer, now or when there is a connection. */
    void accept(Transfer transfer) {
        transfer.accepted();
        if (sweep == null) {
            sweep = loop.schedule(this::sweep, settings.sweepMs(), TimeUnit.MILLISECONDS);
        }
        if (open) {
            connection.send(transfer);
        } else {
            waiting.add(transfer);
            connectAfterPause();
        }
    }

    void flush() {
        if (open) {
            connection.flush();
        }
    }

    private void connectAfterPause() {
        if (connecting || closed) {
            return;
        }
        connecting = true;
        long pauseNs = earliestConnectNs - System.nanoTime();
        if (pauseNs > 0) {
            loop.schedule(this::resolve, pauseNs, TimeUnit.NANOSECONDS);
        } else {
            resolve();
        }
    }

    /** Looks the address up anew, elsewhere, as that can take its time. */
    private void resolve() {
        try {
            CompletableFuture.supplyAsync(datanode::socketAddress, BackgroundThreads.executor())
                    .whenCompleteAsync(this::onResolved, loop);
        } catch (RuntimeException | Error e) { // as when there is no thread
            onEnd(null, unreachable("its address cannot be looked up (" + e + ")", e));
        }
    }

    private void onResolved(InetSocketAddress address, Throwable failure) {
        if (failure != null) {
            onEnd(null, unreachable("its address cannot be looked up (" + failure + ")", failure));
        } else {
            endIfItFails(() -> connect(address));
        }
    }

    private void connect(InetSocketAddress address) {
        if (closed) {
            return;
        }
        if (address.isUnresolved()) {
            onEnd(null, unreachable("the host name cannot be resolved", null));
            return;
        }
        connectDeadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.connectTimeoutMs());
        SocketConnector.connect(loops, loop, address, leftMs(), channel -> {})
                .addListener((ChannelFuture done) -> endIfItFails(() -> onConnected(done)));
    }

    /**
     * A step on the way to a connection that fails for a reason nobody foresaw, as when memory is short, ends the
     * attempt.
     */
    private void endIfItFails(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            CrailException reason = unreachable("connecting failed unexpectedly (" + e + ")", e);
            if (connection == null) {
                onEnd(null, reason);
            } else {
                connection.end(reason);
            }
        }
    }

    private void onConnected(ChannelFuture done) {
        Channel channel = done.channel();
        if (!done.isSuccess()) {
            onEnd(null, unreachable(SocketAddresses.connectFailure(done.cause()), done.cause()));
        } else if (closed) {
            channel.close();
        } else if (SocketAddresses.isSelfConnected(channel)) {
            channel.close();
            onEnd(null, unreachable("nobody listens there", null));
        } else {
            greet(channel);
        }
    }

    private void greet(Channel channel) {
        connection = new TcpClientConnection(channel, this);
        TargetedReceive.install(channel, connection, TransferHandler.READS_PER_EVENT);
        channel.pipeline().addLast(connection);
        connection.greet(clientId, settings.clusterId());
        channel.config().setAutoRead(true);
        TcpClientConnection greeted = connection;
        loop.schedule(() -> endUnlessOpen(greeted), leftMs(), TimeUnit.MILLISECONDS);
    }

    /** What is left of the time in which a connection has to be open, greetings included. */
    private int leftMs() {
        return (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(connectDeadlineNs - System.nanoTime()));
    }

    private void endUnlessOpen(TcpClientConnection greeted) {
        if (greeted == connection && !open) {
            greeted.end(unreachable("it did not answer the greeting", null));
        }
    }

    @Override
    public void onWelcome(TcpClientConnection welcomed, Shortcuts shortcuts) {
        LocalSocket socket = shortcuts.socket();
        if (socket != null && settings.localSockets() && socket.isBehind(welcomed.channel())) {
            SocketConnector.connect(loops, loop, socket, leftMs(), channel -> {})
                    .addListener((ChannelFuture done) -> onLocalConnect(done, welcomed, shortcuts));
        } else {
            open(shortcuts.memory());
        }
    }

    /** Goes over to the Unix domain socket; if that cannot be reached, the connection over TCP serves. */
    private void onLocalConnect(ChannelFuture done, TcpClientConnection welcomed, Shortcuts shortcuts) {
        if (connection != welcomed) {
            done.channel().close();
        } else if (done.isSuccess()) {
            greet(done.channel());
            welcomed.channel().close();
        } else {
            LOG.debug("{}: {} cannot be reached, using TCP", datanode.address(), shortcuts.socket(), done.cause());
            open(shortcuts.memory());
        }
    }

    private void open(LocalOffer memory) {
        mapped.begin(settings.mapped() ? memory : null);
        open = true;
        connecting = false;
        pauseMs = 0;
        for (Transfer transfer = waiting.poll(); transfer != null; transfer = waiting.poll()) {
            connection.send(transfer);
        }
        connection.flush();
    }

    @Override
    public void onEnd(TcpClientConnection ended, CrailException reason) {
        if (ended != connection) {
            return;
        }
        connection = null;
        mapped.end();
        open = false;
        connecting = false;
        pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, 2 * pauseMs));
        earliestConnectNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMs);
        List<Transfer> failed = new ArrayList<>(waiting);
        waiting.clear();
        failed.forEach(transfer -> transfer.fail(reason));
    }

    @Override
    public DatanodeUnreachableException unreachable(String why, Throwable cause) {
        return new DatanodeUnreachableException(
                "datanode " + datanode.address() + " cannot be reached: " + why
                        + "; check that the datanode runs and its address can be reached from here",
                cause);
    }

    private void sweep() {
        sweep = null;
        try {
            failLate(System.nanoTime());
        } finally {
            if (sweep == null && (!waiting.isEmpty() || (connection != null && connection.isBusy()))) {
                sweep = loop.schedule(this::sweep, settings.sweepMs(), TimeUnit.MILLISECONDS);
            }
        }
    }

    private void failLate(long nowNs) {
        List<Transfer> late = new ArrayList<>();
        for (Iterator<Transfer> it = waiting.iterator(); it.hasNext(); ) {
            Transfer transfer = it.next();
            if (transfer.isLate(nowNs)) {
                late.add(transfer);
                it.remove();
            }
        }
        if (connection != null) {
            late.addAll(connection.endIfLate(nowNs));
        }
        late.forEach(transfer -> LastResort.run(
                () -> transfer.failLate(settings.dataTimeoutMs()),
                e -> LOG.error("a transfer could not be failed", e)));
    }

    /** Ends the connection; transfers fail. */
    void close(CrailException reason) {
        if (closed) {
            return;
        }
        closed = true;
        if (connection != null) {
            connection.end(reason);
        } else {
            onEnd(null, reason);
        }
    }
}
