/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.peers;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.crail.comparison.Ability;
import org.apache.crail.comparison.Peer;
import org.apache.crail.comparison.PeerClient;
import org.apache.crail.comparison.ServerProcess;
import org.apache.crail.comparison.Servers;
import org.apache.crail.comparison.works.Effort;

/**
 * Blocking sockets to a process that does nothing else. Both ends sleep in the kernel until something comes, where ours
 * look for up to 200 us before they sleep; so a round trip of ours can be shorter if waking a processor is what takes
 * the time.
 */
final class RawPeer implements Peer {
    private final String name;
    private final boolean unix;
    private final boolean stored;
    private final Effort effort;
    private SocketAddress address;

    /**
     * Starts nothing yet.
     *
     * @param unix a Unix domain socket, and not TCP
     * @param stored see {@link RawClient}; without round trips
     */
    RawPeer(String name, boolean unix, boolean stored, Effort effort) {
        this.name = name;
        this.unix = unix;
        this.stored = stored;
        this.effort = effort;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Set<Ability> abilities() {
        return stored ? EnumSet.of(Ability.STREAM) : EnumSet.of(Ability.STREAM, Ability.LOOKUP);
    }

    @Override
    public int spaceMib() {
        return stored ? effort.writtenMib() : 1;
    }

    @Override
    public void start(Servers servers) throws IOException {
        Path directory = servers.newDirectory(name);
        Path socket = directory.resolve("socket");
        List<String> arguments = new ArrayList<>(List.of(
                directory.resolve("stored").toString(),
                Integer.toString(spaceMib()),
                Integer.toString(Math.min(spaceMib(), effort.units()))));
        if (unix) {
            arguments.add(socket.toString());
        }
        ServerProcess server = servers.startJava(RawServer.class, List.of(), arguments);
        address = unix ? UnixDomainSocketAddress.of(socket) : server.address();
    }

    @Override
    public PeerClient connect() throws IOException {
        return new RawClient(address, stored);
    }
}
