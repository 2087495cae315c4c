/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.peers;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.crail.comparison.Ability;
import org.apache.crail.comparison.Peer;
import org.apache.crail.comparison.PeerClient;
import org.apache.crail.comparison.Servers;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/** HDFS with one datanode: Hadoop's own servers and client with its defaults, one replica. */
public final class HdfsPeer implements Peer {
    /** That of two servers. */
    private static final String HEAP = "1g";

    private final int fileMib;
    private java.nio.file.Path directory;
    private InetSocketAddress address;

    /** Starts nothing yet; gets files of so many MiB together. */
    public HdfsPeer(int fileMib) {
        this.fileMib = fileMib;
    }

    @Override
    public String name() {
        return "hdfs";
    }

    @Override
    public Set<Ability> abilities() {
        return HadoopClient.ABILITIES;
    }

    @Override
    public int spaceMib() {
        return fileMib;
    }

    @Override
    public void start(Servers servers) throws Exception {
        directory = servers.newDirectory(name());
        java.nio.file.Path temporary = Files.createDirectory(directory.resolve("tmp")); // where Jetty leaves files
        address = servers.startJava(
                        HdfsServer.class,
                        List.of("-Xms" + HEAP, "-Xmx" + HEAP, "-Djava.io.tmpdir=" + temporary),
                        List.of(directory.toString()))
                .address();
    }

    @Override
    public Optional<String> address() {
        return Optional.of(TextServer.text(address));
    }

    @Override
    public void attach(String text) {
        address = TextServer.address(text);
    }

    @Override
    public PeerClient connect() throws IOException {
        Configuration configuration = new HdfsConfiguration();
        configuration.set("fs.defaultFS", "hdfs://127.0.0.1:" + address.getPort());
        configuration.set("dfs.replication", "1");
        return new HdfsClient(FileSystem.newInstance(configuration), directory);
    }

    /** Knows when the datanode has given the memory of removed files back. */
    private static final class HdfsClient extends HadoopClient {
        private static final long SETTLE_LIMIT_NS = TimeUnit.MINUTES.toNanos(2);
        private static final long SETTLE_POLL_MS = 20;

        private final java.nio.file.Path directory;
        private long mostBytes = Long.MAX_VALUE;

        /** Needs the servers' directory only where it removes something. */
        HdfsClient(FileSystem hdfs, java.nio.file.Path directory) {
            super(hdfs, "");
            this.directory = directory;
        }

        @Override
        public void remove(String path) throws IOException {
            mostBytes = bytes(blocks()) - length(path);
            super.remove(path);
        }

        /** Waits until the datanode, which is told with one of its next heartbeats, has deleted what was removed. */
        @Override
        public void settle() throws Exception {
            long endNs = System.nanoTime() + SETTLE_LIMIT_NS;
            while (bytes(blocks()) > mostBytes) {
                if (System.nanoTime() - endNs > 0) {
                    throw new TimeoutException("the datanode does not delete the blocks of removed files");
                }
                Thread.sleep(SETTLE_POLL_MS);
            }
        }

        private File blocks() {
            return HdfsServer.blocks(directory).toFile();
        }

        /** Bytes of all block files below a directory, any of which may vanish meanwhile. */
        private static long bytes(File file) {
            File[] children = file.listFiles();
            if (children != null) {
                return Arrays.stream(children).mapToLong(HdfsClient::bytes).sum();
            }
            boolean isBlock =
                    file.getName().startsWith("blk_") && !file.getName().endsWith(".meta");
            return isBlock ? file.length() : 0;
        }
    }
}
