/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.peers;

import java.nio.file.Path;
import org.apache.crail.comparison.ServerProcess;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/** Namenode and datanode of HDFS in one process, with Hadoop's defaults. It ends when its standard input does. */
public final class HdfsServer {
    private static final String ANY_PORT = "127.0.0.1:0";

    private static final long START_POLL_MS = 10;

    private HdfsServer() {}

    /** Where the datanode has its blocks, below the directory that is given to {@link #main}. */
    static Path blocks(Path directory) {
        return directory.resolve("data");
    }

    /**
     * Formats and starts both.
     *
     * @param args an empty directory
     */
    public static void main(String[] args) {
        ServerProcess.exitWithParent();
        try {
            run(args[0]);
        } catch (Exception e) { // threads of Hadoop would keep the process alive
            e.printStackTrace();
            System.exit(1);
        }
    }

    private static void run(String directoryName) throws Exception {
        Path directory = Path.of(directoryName);
        Configuration configuration = new HdfsConfiguration();
        configuration.set("fs.defaultFS", "hdfs://" + ANY_PORT);
        configuration.set(
                "dfs.namenode.name.dir", directory.resolve("name").toUri().toString());
        configuration.set("dfs.datanode.data.dir", blocks(directory).toUri().toString());
        configuration.set("dfs.namenode.http-address", ANY_PORT);
        configuration.set("dfs.datanode.address", ANY_PORT);
        configuration.set("dfs.datanode.http.address", ANY_PORT);
        configuration.set("dfs.datanode.ipc.address", ANY_PORT);
        configuration.set("dfs.replication", "1");
        DefaultMetricsSystem.setMiniClusterMode(true); // or formatting and starting would be one too many
        NameNode.format(configuration);
        NameNode namenode = NameNode.createNameNode(new String[0], configuration);
        configuration.set(
                "fs.defaultFS",
                "hdfs://127.0.0.1:" + namenode.getNameNodeAddress().getPort());
        DataNode datanode = DataNode.createDataNode(new String[0], configuration);
        while (!datanode.isDatanodeFullyStarted(true)) { // when the namenode has answered, too
            Thread.sleep(START_POLL_MS);
        }
        ServerProcess.tellReady(namenode.getNameNodeAddress());
        namenode.join();
    }
}
