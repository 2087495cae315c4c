/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.darpc;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.crail.error.NamenodeUnreachableException;
import org.apache.crail.error.ProtocolMismatchException;
import org.apache.crail.internal.SharedTimer;
import org.apache.crail.rpc.transport.RpcChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection of a client, from its connect to its end, on a thread of its own: the thread connects, handles
 * completions and frees everything. Nothing is shared with other connections, so that one that hangs does no harm. The
 * methods are thread safe.
 */
final class ClientConnection implements ClientChannel.Opening {
    private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final DaRPCSettings settings;
    private final InetSocketAddress address;
    private final int timeoutMs;
    private final CompletableFuture<RpcChannel> future = new CompletableFuture<>();
    private final CompletionLoop loop;
    private final Thread thread;
    private final RpcChannel.Receiver receiver;
    private final DaRPCCounters counters;
    private final Consumer<ClientConnection> onGone;
    private volatile ClientChannel channel;
    private volatile VerbsEndpoint endpoint;
    private boolean connecting;
    private boolean abandoned;

    /** Makes a connection; {@code onGone} is told when nothing is left of it. */
    ClientConnection(
            DaRPCSettings settings,
            InetSocketAddress address,
            int timeoutMs,
            RpcChannel.Receiver receiver,
            DaRPCCounters counters,
            Consumer<ClientConnection> onGone) {
        this.settings = settings;
        this.address = address;
        this.timeoutMs = Math.max(1, timeoutMs);
        this.receiver = receiver;
        this.counters = counters;
        this.onGone = onGone;
        this.loop = new CompletionLoop(settings, 1, this::pump);
        this.thread = new Thread(this::run, "crail-darpc-client-" + COUNT.incrementAndGet());
        thread.setDaemon(true);
    }

    /** Starts to connect. */
    CompletableFuture<RpcChannel> open() {
        Future<?> limit = SharedTimer.after(timeoutMs, this::giveUp);
        future.whenComplete((opened, failure) -> limit.cancel(false));
        try {
            thread.start();
        } catch (OutOfMemoryError e) {
            future.completeExceptionally(unreachable("no thread can be had (" + e.getMessage() + ")", e));
            onGone.accept(this);
        }
        return future;
    }

    private void giveUp() {
        if (!future.isDone()) {
            abandon(unreachable("it did not answer within " + timeoutMs + " ms", null));
        }
    }

    /** Ends it, whatever state it is in. */
    void close() {
        abandon(DaRPCNameNode.closedError());
    }

    private void abandon(IOException cause) {
        future.completeExceptionally(cause);
        synchronized (this) {
            abandoned = true;
            if (connecting) {
                thread.interrupt();
            }
        }
        VerbsEndpoint connected = endpoint;
        if (connected != null) {
            connected.end(cause);
        }
    }

    /** Waits until nothing is left of it; answers whether that is so. */
    boolean awaitEnd(long limitMs) throws InterruptedException {
        if (Thread.currentThread() == thread) {
            return false;
        }
        thread.join(Math.max(1, limitMs));
        return !thread.isAlive();
    }

    private void run() {
        VerbsGroup group = null;
        VerbsEndpoint made = null;
        try {
            group = VerbsGroup.open(settings);
            made = group.createEndpoint();
            connect(made);
            loop.run(0);
        } catch (IOException | RuntimeException | Error e) {
            future.completeExceptionally(unreachable(reason(e), e));
        } finally {
            free(group, made);
            onGone.accept(this);
        }
    }

    private void connect(VerbsEndpoint made) throws IOException {
        ClientChannel opened = new ClientChannel(made, loop, settings.greeting(), receiver, this, counters);
        made.attach(loop, loop.reserve(), opened, loop::stop);
        made.notePeer(address);
        loop.attach(made);
        channel = opened;
        setConnecting(true);
        try {
            made.connect(address, Math.min(timeoutMs, settings.resolveTimeoutMs()));
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) { // DiSNI declares no narrower type
            throw new IOException(e);
        } finally {
            setConnecting(false);
        }
        endpoint = made;
        if (abandoned()) {
            made.end(null);
        }
        opened.greet();
    }

    private synchronized void setConnecting(boolean now) {
        connecting = now;
        if (now && abandoned) {
            thread.interrupt();
        } else if (!now) {
            Thread.interrupted();
        }
    }

    private synchronized boolean abandoned() {
        return abandoned;
    }

    private void pump() {
        channel.pump();
    }

    @Override
    public void onGreeted(ClientChannel greeted) {
        if (!future.complete(greeted)) {
            greeted.close();
        }
    }

    @Override
    public void onNotGreeted(Throwable cause) {
        if (cause instanceof ProtocolMismatchException mismatch) {
            future.completeExceptionally(new ProtocolMismatchException(
                    "namenode " + Addresses.text(address) + ": " + mismatch.getMessage(), mismatch));
        } else {
            future.completeExceptionally(unreachable(reason(cause), cause));
        }
    }

    private void free(VerbsGroup group, VerbsEndpoint made) {
        if (made != null) {
            made.destroy();
        }
        loop.close();
        if (group != null) {
            try {
                group.close();
            } catch (IOException e) {
                LOG.warn("an event channel could not be freed", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static String reason(Throwable cause) {
        String message = cause == null ? null : cause.getMessage();
        return message == null ? String.valueOf(cause) : message.strip();
    }

    private NamenodeUnreachableException unreachable(String why, Throwable cause) {
        return unreachable(address, why, cause);
    }

    /** Says that nobody can be reached at an address, and why. */
    static NamenodeUnreachableException unreachable(InetSocketAddress address, String why, Throwable cause) {
        return new NamenodeUnreachableException(
                "namenode " + Addresses.text(address) + " cannot be reached over RDMA: " + why + Addresses.hint(address)
                        + "; check crail.namenode.address and that the namenode runs with the same"
                        + " crail.namenode.rpctype",
                cause);
    }
}
