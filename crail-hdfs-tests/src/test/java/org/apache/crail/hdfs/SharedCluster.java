/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.hdfs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.EnumMap;
import java.util.Map;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.testkit.ClusterKind;
import org.apache.crail.testkit.MiniCluster;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * The clusters of all tests of a JVM, one of each kind, started by the first that needs it and left to the end of the
 * process, as Hadoop's suites make a file system for each test. Thread safe.
 */
final class SharedCluster {
    private static final Map<ClusterKind, MiniCluster> CLUSTERS = new EnumMap<>(ClusterKind.class);

    private SharedCluster() {}

    private static synchronized MiniCluster get(ClusterKind kind) {
        return CLUSTERS.computeIfAbsent(kind, SharedCluster::start);
    }

    private static MiniCluster start(ClusterKind kind) {
        try {
            return patient(kind).blocksPerDatanode(4096).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Nothing here is about servers that get lost, so limits suit a machine that has much else to do. */
    static MiniCluster.Builder patient() throws IOException {
        return patient(ClusterKind.SOCKETS);
    }

    static MiniCluster.Builder patient(ClusterKind kind) throws IOException {
        return MiniCluster.builder(kind)
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
        return FileSystem.newInstance(uri(cluster), conf);
    }

    /** Host and port of the namenode. */
    static String address(MiniCluster cluster) {
        return cluster.namenodeAddress().getHostString() + ":"
                + cluster.namenodeAddress().getPort();
    }

    /** The only datanode of the cluster that {@link #uri()} leads to. */
    static DataNodeInfo datanode() {
        return get(ClusterKind.SOCKETS).datanode(0).info();
    }

    static URI uri() {
        return uri(get(ClusterKind.SOCKETS));
    }

    static URI uri(MiniCluster cluster) {
        return URI.create("crail://" + address(cluster) + "/");
    }

    /** Adds what a file system needs to reach the cluster. */
    static Configuration configure(Configuration conf) {
        return configure(conf, ClusterKind.SOCKETS);
    }

    /** Adds what a file system needs to reach the cluster of a kind, which is the default of the configuration then. */
    static Configuration configure(Configuration conf, ClusterKind kind) {
        MiniCluster cluster = get(kind);
        cluster.configuration().asMap().forEach(conf::set);
        conf.set("fs.defaultFS", uri(cluster).toString());
        conf.set("fs.AbstractFileSystem.crail.impl", CrailHDFS.class.getName());
        return conf;
    }
}
