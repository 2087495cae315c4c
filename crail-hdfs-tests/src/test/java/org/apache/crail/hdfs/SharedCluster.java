/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * The cluster of all tests of a JVM, started by the first and left to the end of the process, as Hadoop's suites make a file system
 * for each test. Thread safe.
 */
final class SharedCluster {
    private static MiniCluster cluster;

    private SharedCluster() {}

    static synchronized MiniCluster get() {
        if (cluster == null) {
            cluster = start();
        }
        return cluster;
    }

    private static MiniCluster start() {
        try {
            return patient().blocksPerDatanode(4096).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Nothing here is about servers that get lost, so limits suit a machine that has much else to do. */
    static MiniCluster.Builder patient() throws IOException {
        return MiniCluster.builder(ClusterKind.SOCKETS)
                .with("crail.storage.keepalive", "10s")
                .with("crail.tokenexpiration", "5s")
                .with("crail.connecttimeout", "30s")
                .with("crail.rpctimeout", "60s")
                .with("crail.datatimeout", "60s");
    }

    /** Opens a file system of its own on a cluster of a test. */
    static FileSystem connect(MiniCluster cluster) throws IOException {
        Configuration conf = new Configuration();
        cluster.configuration().asMap().forEach(conf::set);
        return FileSystem.newInstance(URI.create("crail://" + address(cluster) + "/"), conf);
    }

    /** Host and port of the namenode. */
    static String address(MiniCluster cluster) {
        return cluster.namenodeAddress().getHostString() + ":"
                + cluster.namenodeAddress().getPort();
    }

    static URI uri() {
        return URI.create(get().configuration().get(CrailKeys.NAMENODE_ADDRESS.name()) + "/");
    }

    /** Adds what a file system needs to reach the cluster. */
    static Configuration configure(Configuration conf) {
        get().configuration().asMap().forEach(conf::set);
        conf.set("fs.defaultFS", uri().toString());
        conf.set("fs.AbstractFileSystem.crail.impl", CrailHDFS.class.getName());
        return conf;
    }
}
