/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands between clients and a server on a TCP port and breaks their connections on purpose. Faults act on what passes
 * from then on. All methods are thread safe.
 */
public final class FaultyProxy implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FaultyProxy.class);
    private static final int CHUNK_BYTES = 64 * 1024;
    private static final int BACKLOG = 128;

    private final ServerSocket listener;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicLong toServerBytes = new AtomicLong();
    private final AtomicLong toClientBytes = new AtomicLong();
    private final AtomicInteger firedFaults = new AtomicInteger();
    private volatile InetSocketAddress target;
    private volatile Fault toServer = Fault.NONE;
    private volatile Fault toClient = Fault.NONE;
    private volatile long delayNanos;
    private volatile boolean closed;

    /** What happens to bytes on their way. */
    public enum Fault {
        /** They arrive. */
        NONE,
        /** They are lost; the connection stays. */
        SWALLOW,
        /** Half of the next ones arrives, then the connection is cut. Happens once. */
        HALF,
        /** They are not taken from the sender any more, until the fault ends. */
        STALL
    }

    private FaultyProxy(InetSocketAddress target, InetSocketAddress address) throws IOException {
        this.target = target;
        this.listener = new ServerSocket(address.getPort(), BACKLOG, address.getAddress());
        daemon("faulty-proxy-accept", this::accept);
    }

    /** Starts a proxy on a port that the system chooses. */
    public static FaultyProxy start(InetSocketAddress target) throws IOException {
        return start(target, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    /** Starts a proxy at an address. */
    public static FaultyProxy start(InetSocketAddress target, InetSocketAddress address) throws IOException {
        return new FaultyProxy(target, address);
    }

    /** The port to connect to. */
    public int port() {
        return listener.getLocalPort();
    }

    /** Connects to another server from now on. */
    public void retarget(InetSocketAddress newTarget) {
        target = newTarget;
    }

    /** What happens to bytes from clients to the server. */
    public void toServer(Fault fault) {
        toServer = fault;
    }

    /** What happens to bytes from the server to clients. */
    public void toClient(Fault fault) {
        toClient = fault;
    }

    /** Delays all bytes. */
    public void delayMs(long delayMs) {
        delayNanos = delayMs * 1_000_000;
    }

    /** Bytes that arrived at the proxy for the server. */
    public long toServerBytes() {
        return toServerBytes.get();
    }

    /** Bytes that arrived at the proxy for clients. */
    public long toClientBytes() {
        return toClientBytes.get();
    }

    /** How many connections {@link Fault#HALF} has cut. */
    public int firedFaults() {
        return firedFaults.get();
    }

    /** Cuts all connections; those that are made from now on stay. */
    public void cut() {
        for (Socket socket : List.copyOf(sockets)) {
            closeQuietly(socket);
            sockets.remove(socket);
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            listener.close();
        } catch (IOException e) {
            LOG.debug("closing the listener failed", e);
        }
        cut();
    }

    private void accept() {
        while (!closed) {
            try {
                Socket client = listener.accept();
                connect(client);
            } catch (IOException e) {
                LOG.trace("accept ended", e);
            }
        }
    }

    private void connect(Socket client) throws IOException {
        Socket server = new Socket();
        try {
            InetSocketAddress now = target;
            server.connect(new InetSocketAddress(now.getHostString(), now.getPort()), 2000);
        } catch (IOException e) {
            closeQuietly(client);
            closeQuietly(server);
            throw e;
        }
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        sockets.add(client);
        sockets.add(server);
        daemon("faulty-proxy-out", () -> pump(client, server, true));
        daemon("faulty-proxy-in", () -> pump(server, client, false));
    }

    private void pump(Socket from, Socket to, boolean outwards) {
        byte[] bytes = new byte[CHUNK_BYTES];
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            int got = in.read(bytes);
            while (got > 0) {
                (outwards ? toServerBytes : toClientBytes).addAndGet(got);
                if (!forward(bytes, got, out, outwards)) {
                    return;
                }
                got = in.read(bytes);
            }
        } catch (IOException e) {
            LOG.trace("a proxied connection ended", e);
        } finally {
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    /** Passes bytes on as the fault says; false ends the connection. */
    private boolean forward(byte[] bytes, int count, OutputStream out, boolean outwards) throws IOException {
        if (delayNanos > 0) {
            LockSupport.parkNanos(delayNanos);
        }
        while ((outwards ? toServer : toClient) == Fault.STALL && !closed) {
            LockSupport.parkNanos(1_000_000);
        }
        switch (outwards ? toServer : toClient) {
            case SWALLOW -> {
                return true;
            }
            case HALF -> {
                firedFaults.incrementAndGet();
                out.write(bytes, 0, count / 2);
                out.flush();
                endFault(outwards);
                return false;
            }
            default -> out.write(bytes, 0, count);
        }
        return true;
    }

    private void endFault(boolean outwards) {
        if (outwards) {
            toServer = Fault.NONE;
        } else {
            toClient = Fault.NONE;
        }
    }

    private static void daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("closing a socket failed", e);
        }
    }
}
