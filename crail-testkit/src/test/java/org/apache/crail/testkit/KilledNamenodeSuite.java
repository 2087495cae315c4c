/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.apache.crail.CrailLocationClass;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailStorageClass;
import org.apache.crail.CrailStore;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.CrailException;
import org.apache.crail.rpc.message.ReportRequest;
import org.apache.crail.testkit.servers.LocalServers;
import org.apache.crail.testkit.servers.ServerPlace;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A namenode process that is killed with calls in flight: they all end, and client and datanode go on with the next
 * one.
 */
abstract class KilledNamenodeSuite {
    private static final Logger LOG = LoggerFactory.getLogger(KilledNamenodeSuite.class);
    private static final int BLOCK = 64 * 1024;
    private static final int BLOCKS = 256;
    private static final int IN_FLIGHT = 32;
    private static final Duration RETURN_LIMIT = Duration.ofMinutes(2);

    @TempDir
    Path work;

    private final CrailConfiguration configuration = CrailConfiguration.createEmptyConfiguration();
    private final List<Future<?>> calls = new ArrayList<>();
    private final LocalServers servers = new LocalServers(ServerPlace.testHost());
    private NamenodeProcess namenode;

    abstract ClusterKind kind();

    @BeforeEach
    void startServers() throws Exception {
        configuration.set("crail.singleton", "false");
        configuration.set("crail.blocksize", "64k");
        configuration.set("crail.buffersize", "64k");
        configuration.set("crail.slicesize", "16k");
        configuration.set("crail.cachelimit", "0");
        configuration.set("crail.storage.keepalive", Patience.ofMs(200));
        configuration.set("crail.connecttimeout", "40s"); // the next namenode is a JVM that has to start
        configuration.set("crail.rpctimeout", "40s");
        configuration.set("crail.datatimeout", "40s");
        kind().configure(configuration);
        startNamenode(0);
        CrailConfiguration ofDatanode = configuration.copy();
        servers.startDatanode(0, ofDatanode, kind().datanode(ofDatanode, new ClusterKind.Place(0, 0, 0), BLOCKS));
    }

    @AfterEach
    void endServers() {
        servers.close();
        if (namenode != null) {
            namenode.close();
        }
    }

    private void startNamenode(int port) throws Exception {
        setPort(port);
        namenode = NamenodeProcess.start(configuration, work);
        setPort(namenode.port());
    }

    private void setPort(int port) {
        configuration.set(CrailKeys.NAMENODE_ADDRESS.name(), "crail://" + ServerPlace.testHost() + ":" + port);
    }

    @Test
    @Timeout(290)
    void shouldGoOnWithTheNextNamenodeWhenOneIsKilledWithCallsInFlight() throws Exception {
        try (TestClient client = TestClient.open(configuration)) {
            client.write("/before", Pattern.of(1, BLOCK));
            namenode.stop();
            for (int i = 0; i < IN_FLIGHT; i++) {
                call(client.store());
            }
            int port = namenode.port();
            assertThat(calls).as("lookups and creates in flight").noneMatch(Future::isDone);
            namenode.kill();

            startNamenode(port);

            assertThat(namenode.port()).isEqualTo(port);
            for (Future<?> call : calls) {
                awaitEnd(call);
            }
            Await.until("the datanode's blocks can be had again", RETURN_LIMIT, this::hasFreeBlocks);
            assertThat(client.lookup("/before"))
                    .as("lost with the state of the namenode")
                    .isNull();
            client.write("/after", Pattern.of(2, 2 * BLOCK));
            assertThat(client.read("/after")).isEqualTo(Pattern.of(2, 2 * BLOCK));
            assertThat(client.list("/")).contains("after");
        }
    }

    /** A lookup and a create in turn. */
    private void call(CrailStore store) throws Exception {
        int number = calls.size();
        calls.add(
                number % 2 == 0
                        ? store.lookup("/before")
                        : store.create(
                                "/new" + number,
                                CrailNodeType.DATAFILE,
                                CrailStorageClass.DEFAULT,
                                CrailLocationClass.DEFAULT,
                                false));
    }

    /** A call may have been executed by either namenode, or may have failed with a typed error. */
    private static void awaitEnd(Future<?> call) throws Exception {
        try {
            TestClient.await(call);
        } catch (CrailException e) {
            LOG.debug("a call failed", e);
        }
    }

    /** A tier that refuses no former clients' transfers holds blocks back for the life of a write token. */
    private boolean hasFreeBlocks() throws Exception {
        InetSocketAddress address = new InetSocketAddress(ServerPlace.testHost(), namenode.port());
        return MiniCluster.call(new ReportRequest(), address, configuration).datanodes().stream()
                .anyMatch(datanode -> datanode.freeBlocks() > 0);
    }
}
