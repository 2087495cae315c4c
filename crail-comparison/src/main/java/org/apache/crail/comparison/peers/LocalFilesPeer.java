/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.peers;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import org.apache.crail.comparison.Ability;
import org.apache.crail.comparison.Peer;
import org.apache.crail.comparison.PeerClient;
import org.apache.crail.comparison.Servers;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.RawLocalFileSystem;

/**
 * Files of the machine, used through Hadoop's file system for them, without checksums. Below /dev/shm they are in
 * memory.
 */
final class LocalFilesPeer implements Peer {
    private final int fileMib;
    private java.nio.file.Path directory;

    /** Gets files of so many MiB together. */
    LocalFilesPeer(int fileMib) {
        this.fileMib = fileMib;
    }

    @Override
    public String name() {
        return "local-files";
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.of(Ability.STREAM, Ability.RANDOM_READ, Ability.TABLES);
    }

    @Override
    public int spaceMib() {
        return fileMib;
    }

    @Override
    public void start(Servers servers) throws IOException {
        directory = servers.newDirectory(name());
    }

    @Override
    public PeerClient connect() throws IOException {
        RawLocalFileSystem files = new RawLocalFileSystem();
        files.initialize(directory.toUri(), new Configuration(false));
        return new HadoopClient(files, directory.toString());
    }
}
