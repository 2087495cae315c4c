/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.CrailException;

/**
 * Addresses inside the process: what in-memory servers bind and in-memory clients look up, by port. One for the
 * process, so that components find each other through an ordinary configuration. All methods are thread safe.
 */
final class MemoryNetwork<T> {
    private static final int FIRST_PORT = 20_000;

    private final Map<Integer, T> servers = new ConcurrentHashMap<>();
    private final AtomicInteger nextPort = new AtomicInteger(FIRST_PORT);

    InetSocketAddress bind(InetSocketAddress wanted, T server) throws CrailException {
        int port = wanted.getPort() == 0 ? nextPort.getAndIncrement() : wanted.getPort();
        if (servers.putIfAbsent(port, server) != null) {
            throw new ConfigurationException("port " + port + " is in use; choose another or stop its owner");
        }
        return InetSocketAddress.createUnresolved(wanted.getHostString(), port);
    }

    /** The server at this port, or null. */
    T find(int port) {
        return servers.get(port);
    }

    void unbind(int port) {
        servers.remove(port);
    }
}
