/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.peers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.crail.CrailStatistics;

/**
 * Sees by what a store has counted, and by the kernel's list of TCP connections, whether it goes the way it should.
 * Used by one thread.
 */
final class CrailWayCheck {
    private static final List<String> DIRECTIONS = List.of("core/input", "core/output");
    private static final Pattern LOCAL = Pattern.compile("localOps (\\d+)");
    private static final Pattern REMOTE = Pattern.compile("remoteOps (\\d+)");

    private static final List<Path> CONNECTIONS = List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));

    /** Number, local address and port, remote address and port, and the state, of which 1 means established. */
    private static final Pattern ESTABLISHED =
            Pattern.compile("\\s*\\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:([0-9A-F]{4}) 01 .*");

    private final CrailWay way;
    private final CrailStatistics statistics;
    private final List<Integer> ports;
    private long remoteAtBegin;

    /**
     * Checks nothing yet.
     *
     * @param servers where namenode and datanode listen, on ports that were chosen for them
     */
    CrailWayCheck(CrailWay way, CrailStatistics statistics, List<InetSocketAddress> servers) {
        this.way = way;
        this.statistics = statistics;
        this.ports = servers.stream().map(InetSocketAddress::getPort).toList();
    }

    boolean hasLocalTransfers() {
        return count(LOCAL) > 0;
    }

    /** From now on, transfers of mapped blocks have to be copies. */
    void begin() {
        remoteAtBegin = count(REMOTE);
    }

    /** Fails if data or metadata have gone another way. */
    void check() throws IOException {
        if (way.isMapped() && count(REMOTE) > remoteAtBegin) {
            throw new IOException(count(REMOTE) - remoteAtBegin + " transfers went over a socket and not by a copy");
        }
        if (!way.isMapped() && hasLocalTransfers()) {
            throw new IOException(count(LOCAL) + " transfers went by a copy and not over a socket");
        }
        if (Files.exists(CONNECTIONS.get(0)) && isOverTcp() == way.hasUnixSockets()) {
            throw new IOException("servers and clients are connected by "
                    + (way.hasUnixSockets() ? "TCP and not by Unix domain sockets" : "something else than TCP"));
        }
    }

    private long count(Pattern what) {
        long sum = 0;
        for (String direction : DIRECTIONS) {
            Matcher found = what.matcher(statistics.text(direction).orElse(""));
            if (!found.find()) {
                throw new IllegalStateException("the store counts nothing; crail.statistics must be true");
            }
            sum += Long.parseLong(found.group(1));
        }
        return sum;
    }

    private boolean isOverTcp() throws IOException {
        for (Path list : CONNECTIONS) {
            if (Files.exists(list)) {
                for (String line : Files.readAllLines(list)) {
                    Matcher connection = ESTABLISHED.matcher(line);
                    if (connection.matches() && (isOurs(connection.group(1)) || isOurs(connection.group(2)))) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private boolean isOurs(String port) {
        return ports.contains(Integer.parseInt(port, 16));
    }
}
