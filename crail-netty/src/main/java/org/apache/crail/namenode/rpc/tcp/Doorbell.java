/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode.rpc.tcp;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.netty.SocketAddresses;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's end of the Unix domain socket beside the memory. A byte over it wakes up a parked namenode, and its end is
 * the connection's.
 *
 * <p>Any thread rings, past Netty: a thread that had to be woken up for that would run later. A closed socket's number
 * may soon be another file's, so the socket is not closed while threads ring. All closes go through {@link #close}:
 * Netty does not close a socket by itself that may be half closed, and a loop that ends closes its connections first.
 * Thread safe.
 */
final class Doorbell extends ChannelOutboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(Doorbell.class);
    private static final ByteBuffer WAKE_UP = ByteBuffer.allocateDirect(1);

    private static final int CLOSING = Integer.MIN_VALUE;

    /** How many threads ring; {@link #CLOSING} and as many when no further one may begin. */
    private final AtomicInteger ringers = new AtomicInteger();

    private final EpollDomainSocketChannel socket;
    private final String peer;
    private volatile Throwable endCause;

    Doorbell(EpollDomainSocketChannel socket) {
        this.socket = socket;
        this.peer = SocketAddresses.peer(socket);
        socket.config().setAllowHalfClosure(true);
    }

    EpollDomainSocketChannel socket() {
        return socket;
    }

    String peer() {
        return peer;
    }

    /**
     * Wakes up the namenode.
     *
     * @throws IOException if the namenode is gone
     */
    void ring() throws IOException {
        if (!beginRing()) {
            return;
        }
        try {
            int ignored = ((Socket) socket.fd()).send(WAKE_UP, 0, 1); // 0 if enough bytes are there to wake it up
        } finally {
            endRing();
        }
    }

    /**
     * Keeps the socket open until {@link #endRing}. Returns false if it is being closed; then there is nothing to end.
     */
    boolean beginRing() {
        boolean isOpen = ringers.incrementAndGet() > 0;
        if (!isOpen) {
            endRing();
        }
        return isOpen;
    }

    void endRing() {
        ringers.decrementAndGet();
    }

    /** Waits for threads that ring: each does one system call that does not block. */
    @Override
    @SuppressWarnings("ThreadPriorityCheck") // for a moment
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
        ringers.getAndUpdate(count -> count | CLOSING);
        while (ringers.get() != CLOSING) {
            Thread.yield();
        }
        context.close(promise);
    }

    /** Whether nothing is sent or received any more. */
    boolean hasEnded() {
        return endCause != null;
    }

    /** Why the connection has ended; null while it has not. */
    Throwable endCause() {
        return endCause;
    }

    /** Ends the connection. */
    void end(Throwable cause) {
        if (endCause == null) {
            endCause = cause;
        }
        socket.close();
    }

    /** Runs a task in the event loop, unless that has shut down. */
    void execute(Runnable task) {
        try {
            socket.eventLoop().execute(task);
        } catch (RejectedExecutionException e) {
            LOG.trace("{}: the transport is closed; a task is dropped", peer, e);
        }
    }
}
