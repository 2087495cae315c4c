/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.cli.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.crail.cli.server.ServerProcess.Launch;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.rpc.message.CheckRequest;
import org.apache.crail.rpc.message.CheckResponse;
import org.apache.crail.rpc.message.Request;
import org.apache.crail.rpc.message.Response;
import org.apache.crail.testkit.MiniCluster;
import org.apache.crail.testkit.TestClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers that run as the {@code crail} command, each in a process of its own, and stores on them. Used by one test
 * thread.
 */
abstract class ServersInProcesses {
    static final int BLOCK = 64 * 1024;

    @TempDir
    Path work;

    final Map<String, String> settings = new TreeMap<>();

    private final List<AutoCloseable> opened = new ArrayList<>();
    private int namenodePort;

    @BeforeEach
    final void useSmallBlocks() {
        settings.put("crail.blocksize", "64k");
        settings.put("crail.buffersize", "64k");
        settings.put("crail.slicesize", "16k");
        settings.put("crail.singleton", "false");
        settings.put("crail.cachelimit", "0");
        settings.put("crail.storage.tcp.port", "0");
        settings.put("crail.storage.tcp.datapath", work.resolve("data").toString());
        settings.put("crail.storage.tcp.storagelimit", "16m");
        settings.put("crail.storage.tcp.allocationsize", "1m");
        settings.put("crail.namenode.address", "crail://127.0.0.1:0");
        settings.put("crail.datanode.host", "127.0.0.1");
    }

    @AfterEach
    final void endAll() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    final <T extends AutoCloseable> T keep(T resource) {
        opened.add(resource);
        return resource;
    }

    final ServerProcess start(String name, Launch launch, String... arguments) throws Exception {
        return keep(ServerProcess.start(work, name, settings, launch, arguments));
    }

    /** Starts a namenode, which all that comes later finds. */
    final ServerProcess startNamenode(Launch launch) throws Exception {
        ServerProcess namenode = start("namenode", launch, "namenode");
        namenodePort = namenode.awaitPort();
        settings.put("crail.namenode.address", "crail://127.0.0.1:" + namenodePort);
        return namenode;
    }

    /** Starts a datanode; returns when its blocks can be had. */
    final ServerProcess startDatanode(Launch launch) throws Exception {
        ServerProcess datanode = start("datanode", launch, "datanode");
        datanode.awaitPort();
        return datanode;
    }

    final CrailConfiguration configuration() {
        CrailConfiguration configuration = CrailConfiguration.createEmptyConfiguration();
        settings.forEach(configuration::set);
        return configuration;
    }

    /** A store whose calls and transfers end after so many milliseconds. */
    final TestClient openClient(long limitMs) throws Exception {
        CrailConfiguration configuration = configuration();
        configuration.set("crail.rpctimeout", limitMs + "ms");
        configuration.set("crail.datatimeout", limitMs + "ms");
        return keep(TestClient.open(configuration));
    }

    final <R extends Response> R ask(Request<R> request) throws Exception {
        return MiniCluster.call(
                request, new InetSocketAddress(InetAddress.getLoopbackAddress(), namenodePort), configuration());
    }

    /** Counts all blocks; fails if some are missing, or counted twice. */
    final CheckResponse checkBlocks() throws Exception {
        CheckResponse check = ask(new CheckRequest());
        if (!check.problems().isEmpty() || check.free() + check.allocated() + check.pending() != check.registered()) {
            throw new AssertionError("blocks are not conserved: " + check);
        }
        return check;
    }
}
