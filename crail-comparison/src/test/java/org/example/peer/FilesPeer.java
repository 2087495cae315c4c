/* SPDX-License-Identifier: Apache-2.0 */
package org.example.peer;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.crail.comparison.Ability;
import org.apache.crail.comparison.Peer;
import org.apache.crail.comparison.PeerClient;
import org.apache.crail.comparison.Servers;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** A system as others bring it along, in a package of its own: files, and a server that tells whether they exist. */
public final class FilesPeer implements Peer {
    private static final int SPACE_MIB = 128;

    private final FileSystem files = new RawLocalFileSystem();
    private Path root;
    private InetSocketAddress server;

    @Override
    public String name() {
        return "their-files";
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.of(Ability.VALUES, Ability.LOOKUP, Ability.CREATE, Ability.STREAM, Ability.TABLES);
    }

    @Override
    public int spaceMib() {
        return SPACE_MIB;
    }

    @Override
    public void start(Servers servers) throws IOException {
        root = servers.newDirectory(name());
        files.initialize(root.toUri(), new Configuration(false));
        server = servers.startJava(LookupServer.class, List.of("-Xmx64m"), List.of())
                .address();
    }

    @Override
    public PeerClient connect() {
        return new FilesClient(files, root, server);
    }

    @Override
    public void close() throws IOException {
        files.close();
    }
}
