/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.peers;

import java.io.IOException;
import java.net.URI;
import java.util.Set;
import org.apache.crail.comparison.Ability;
import org.apache.crail.comparison.Peer;
import org.apache.crail.comparison.PeerClient;
import org.apache.crail.comparison.Servers;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/** A cluster of this project, used through its Hadoop file system. */
final class CrailHadoopPeer implements Peer {
    private final CrailPeer cluster;

    /** Starts nothing yet; the cluster is this system's own. */
    CrailHadoopPeer(CrailPeer cluster) {
        this.cluster = cluster;
    }

    @Override
    public String name() {
        return cluster.name();
    }

    @Override
    public Set<Ability> abilities() {
        return HadoopClient.ABILITIES;
    }

    @Override
    public int spaceMib() {
        return cluster.spaceMib();
    }

    @Override
    public void start(Servers servers) throws Exception {
        cluster.start(servers);
    }

    @Override
    public PeerClient connect() throws IOException {
        Configuration configuration = new Configuration();
        cluster.configuration().asMap().forEach(configuration::set);
        return new Client(
                FileSystem.newInstance(URI.create(configuration.get("crail.namenode.address")), configuration),
                cluster.connect());
    }

    /**
     * Sees by the connections of this process how metadata go, and not that blocks are mapped: the file system counts
     * for itself.
     */
    @Override
    public void check() throws IOException {
        cluster.check();
    }

    @Override
    public void close() throws IOException {
        cluster.close();
    }

    /** Fills directories, and waits for blocks, as the bare client does. */
    private static final class Client extends HadoopClient {
        private final PeerClient bare;

        Client(FileSystem files, PeerClient bare) {
            super(files, "");
            this.bare = bare;
        }

        @Override
        public void fill(String directory, int count) throws Exception {
            bare.fill(directory, count);
        }

        @Override
        public void awaitRoom() throws Exception {
            bare.awaitRoom();
        }

        @Override
        public void close() throws IOException {
            try {
                super.close();
            } finally {
                bare.close();
            }
        }
    }
}
