/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.netty;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.internal.IdleStrategy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads that serve sockets, and the kind of socket that fits them: epoll where it works, NIO elsewhere. The threads
 * are daemons, named after their purpose; those of {@link #createShared} leave their work to threads that wait, as far
 * as that helps. All methods are thread safe.
 */
public final class EventLoops implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventLoops.class);
    private static final long CLOSE_LIMIT_MS = 5_000;

    private final String name;
    private final boolean epoll;
    private final EventLoopGroup group;

    private EventLoops(String name, int threads, boolean epoll, boolean isShared, IdleStrategy.Kind idle) {
        this.name = name;
        this.epoll = epoll;
        try {
            this.group = epoll
                    ? new EpollLoops(threads, threadFactory(name), isShared, idle)
                    : new MultiThreadIoEventLoopGroup(threads, threadFactory(name), NioIoHandler.newFactory());
        } catch (IllegalStateException e) {
            throw new IllegalStateException(
                    "cannot make " + threads + " event loops: " + e.getCause()
                            + "; each takes 3 open files, see ulimit -n",
                    e);
        }
    }

    /**
     * Shared loops are run by callers while they wait; not with NIO, which does not leave a caller's interruption
     * alone.
     */
    private static final class EpollLoops extends MultiThreadIoEventLoopGroup {
        EpollLoops(int threads, ThreadFactory factory, boolean isShared, IdleStrategy.Kind idle) {
            super(threads, factory, EpollIoHandler.newFactory(), isShared, idle);
        }

        /** Gives each a handler of its own, and not of the group's factory, as it shares the strategy with its loop. */
        @Override
        protected IoEventLoop newChild(Executor executor, IoHandlerFactory handlers, Object... args) {
            SpinThenWait waiting = new SpinThenWait(new IdleStrategy((IdleStrategy.Kind) args[1]));
            IoHandlerFactory own = EpollIoHandler.newFactory(0, () -> waiting);
            boolean isShared = (boolean) args[0];
            return isShared
                    ? new SharedEventLoop(this, executor, own, waiting)
                    : new SpinningEventLoop(this, executor, own, waiting);
        }
    }

    /**
     * Makes threads called {@code name-0}, {@code name-1} and so on; they start when they are first needed.
     *
     * @param threads their number, or 0 for as many as fit the machine
     * @param preferEpoll false to use NIO everywhere
     * @param idle what they do before they sleep
     */
    public static EventLoops create(String name, int threads, boolean preferEpoll, IdleStrategy.Kind idle) {
        return create(name, threads, preferEpoll, false, idle);
    }

    /** As above, for clients: threads that wait for answers do the work, see {@link SharedEventLoop}. */
    public static EventLoops createShared(String name, int threads, boolean preferEpoll, IdleStrategy.Kind idle) {
        return create(name, threads, preferEpoll, true, idle);
    }

    private static EventLoops create(
            String name, int threads, boolean preferEpoll, boolean isShared, IdleStrategy.Kind idle) {
        int fitting = threads > 0 ? threads : fittingThreads();
        return new EventLoops(name, fitting, preferEpoll && Epoll.isAvailable(), isShared, idle);
    }

    /** Half of the processors, from 1 to 8. */
    static int fittingThreads() {
        return Math.max(1, Math.min(8, Runtime.getRuntime().availableProcessors() / 2));
    }

    private static ThreadFactory threadFactory(String name) {
        AtomicInteger next = new AtomicInteger();
        return task -> {
            Thread thread = new FastThreadLocalThread(task, name + "-" + next.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** All threads; for servers. */
    public EventLoopGroup group() {
        return group;
    }

    /** One thread, one after the other; for clients. */
    public EventLoop next() {
        return group.next();
    }

    /** The class of channels that connect to such an address: over TCP, or one of {@link #localAddress}. */
    Class<? extends Channel> channelType(SocketAddress address) {
        if (address instanceof InetSocketAddress) {
            return epoll ? EpollSocketChannel.class : NioSocketChannel.class;
        }
        return epoll ? EpollDomainSocketChannel.class : NioDomainSocketChannel.class;
    }

    /** The class of channels that listen on such an address. */
    Class<? extends ServerChannel> serverChannelType(SocketAddress address) {
        if (address instanceof InetSocketAddress) {
            return epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
        }
        return epoll ? EpollServerDomainSocketChannel.class : NioServerDomainSocketChannel.class;
    }

    /** The address of a Unix domain socket. */
    SocketAddress localAddress(Path path) {
        return epoll ? new DomainSocketAddress(path.toString()) : UnixDomainSocketAddress.of(path);
    }

    /** Lets the event loop of an input look for it. By who runs that loop. */
    public static void poll(PolledInput input) {
        SpinningEventLoop.inputsOf(input.channel()).add(input);
    }

    /** Ends what {@link #poll} began; does nothing if that has not. */
    public static void stopPolling(PolledInput input) {
        SpinningEventLoop.inputsOf(input.channel()).remove(input);
    }

    /** Whether the calling thread is one of these, or runs the loop of one. */
    public boolean isInside() {
        for (EventExecutor executor : group) {
            if (executor.inEventLoop()) {
                return true;
            }
        }
        return false;
    }

    /** Closes the sockets that are left and ends the threads; waits for them, for a bounded time. */
    @Override
    public void close() {
        group.shutdownGracefully(0, CLOSE_LIMIT_MS, TimeUnit.MILLISECONDS);
        if (!isInside() && !group.terminationFuture().awaitUninterruptibly(CLOSE_LIMIT_MS)) {
            LOG.warn(
                    "the threads {} did not end within {} ms; they are daemons and end with the process",
                    name,
                    CLOSE_LIMIT_MS);
        }
    }
}
