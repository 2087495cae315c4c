/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/** HDFS with one datanode: Hadoop's own servers and client with its defaults, one replica. */
final class HdfsPeer implements Peer {
    private InetSocketAddress address;

    @Override
    public String name() {
        return "hdfs";
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.of(Ability.LOOKUP, Ability.CREATE, Ability.STREAM, Ability.ENUMERATE);
    }

    @Override
    public void start(Servers servers) throws Exception {
        String directory = servers.newDirectory(name()).toString();
        address = servers.startJava(HdfsServer.class, List.of("-Xmx1g"), List.of(directory))
                .address();
    }

    @Override
    public PeerClient connect() throws IOException {
        Configuration configuration = new HdfsConfiguration();
        configuration.set("fs.defaultFS", "hdfs://127.0.0.1:" + address.getPort());
        configuration.set("dfs.replication", "1");
        return new Client(FileSystem.newInstance(configuration));
    }

    private static final class Client implements PeerClient {
        private final FileSystem hdfs;
        private final byte[] unit = new byte[UNIT_BYTES];

        Client(FileSystem hdfs) {
            this.hdfs = hdfs;
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
            try (FSDataOutputStream out = hdfs.create(new Path(path))) {
                out.hsync();
            }
        }

        @Override
        public void fill(String directory, int files) throws IOException {
            for (int i = 0; i < files; i++) {
                hdfs.create(new Path(directory + "file-" + i)).close();
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
        public void remove(String path) throws IOException {
            hdfs.delete(new Path(path), true);
        }

        @Override
        public void close() throws IOException {
            hdfs.close();
        }
    }
}
