/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/** HDFS with one datanode: Hadoop's own servers and client with its defaults, one replica. */
final class HdfsPeer implements Peer {
    private final int fileMib;
    private java.nio.file.Path directory;
    private InetSocketAddress address;

    /** Starts nothing yet; gets files of so many MiB together. */
    HdfsPeer(int fileMib) {
        this.fileMib = fileMib;
    }

    @Override
    public String name() {
        return "hdfs";
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.of(Ability.LOOKUP, Ability.CREATE, Ability.STREAM, Ability.ENUMERATE);
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
                        HdfsServer.class, List.of("-Djava.io.tmpdir=" + temporary), List.of(directory.toString()))
                .address();
    }

    @Override
    public PeerClient connect() throws IOException {
        Configuration configuration = new HdfsConfiguration();
        configuration.set("fs.defaultFS", "hdfs://127.0.0.1:" + address.getPort());
        configuration.set("dfs.replication", "1");
        return new Client(
                FileSystem.newInstance(configuration),
                HdfsServer.blocks(directory).toFile());
    }

    private static final class Client implements PeerClient {
        private static final long SETTLE_LIMIT_NS = TimeUnit.MINUTES.toNanos(2);
        private static final long SETTLE_POLL_MS = 20;

        private final FileSystem hdfs;
        private final File blocks;
        private final byte[] unit = new byte[UNIT_BYTES];
        private final ByteBuffer number = ByteBuffer.wrap(unit);
        private long mostBytes = Long.MAX_VALUE;

        Client(FileSystem hdfs, File blocks) {
            this.hdfs = hdfs;
            this.blocks = blocks;
        }

        @Override
        public String directory(String name) throws IOException {
            hdfs.mkdirs(new Path("/" + name));
            return "/" + name + "/";
        }

        @Override
        public void lookup(String path) throws IOException {
            hdfs.getFileStatus(new Path(path));
        }

        @Override
        public void create(String path) throws IOException {
            hdfs.create(new Path(path)).close();
        }

        @Override
        public void fill(String directory, int files) throws IOException {
            for (int i = 0; i < files; i++) {
                create(directory + "file-" + i);
            }
        }

        @Override
        public int enumerate(String directory) throws IOException {
            return hdfs.listStatus(new Path(directory)).length;
        }

        @Override
        public void write(String path, int units) throws IOException {
            try (FSDataOutputStream out = hdfs.create(new Path(path))) {
                for (int i = 0; i < units; i++) {
                    number.putLong(0, i);
                    out.write(unit);
                }
            }
        }

        @Override
        public void read(String path, int units) throws IOException {
            try (FSDataInputStream in = hdfs.open(new Path(path))) {
                for (int i = 0; i < units; i++) {
                    in.readFully(unit);
                }
            }
        }

        @Override
        public long lastUnit() {
            return number.getLong(0);
        }

        @Override
        public void remove(String path) throws IOException {
            long removed = hdfs.getContentSummary(new Path(path)).getLength();
            mostBytes = bytes(blocks) - removed;
            hdfs.delete(new Path(path), true);
        }

        /** Waits until the datanode, which is told with one of its next heartbeats, has deleted what was removed. */
        @Override
        public void settle() throws Exception {
            long endNs = System.nanoTime() + SETTLE_LIMIT_NS;
            while (bytes(blocks) > mostBytes) {
                if (System.nanoTime() - endNs > 0) {
                    throw new TimeoutException("the datanode does not delete the blocks of removed files");
                }
                Thread.sleep(SETTLE_POLL_MS);
            }
        }

        /** Bytes of all block files below a directory, any of which may vanish meanwhile. */
        private static long bytes(File file) {
            File[] children = file.listFiles();
            if (children != null) {
                return Arrays.stream(children).mapToLong(Client::bytes).sum();
            }
            boolean isBlock =
                    file.getName().startsWith("blk_") && !file.getName().endsWith(".meta");
            return isBlock ? file.length() : 0;
        }

        @Override
        public void close() throws IOException {
            hdfs.close();
        }
    }
}
