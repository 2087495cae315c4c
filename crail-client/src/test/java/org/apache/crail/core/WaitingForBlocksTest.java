/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailFile;
import org.apache.crail.CrailNodeType;
import org.apache.crail.CrailOutputStream;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.BlocksPendingException;
import org.apache.crail.error.StaleBlockException;
import org.apache.crail.rpc.server.MetadataService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Operations that wait for longer than what they would take otherwise, as all blocks are about to be free. */
@Timeout(120)
class WaitingForBlocksTest {
    private static final long TOKEN_MS = 800;
    private static final long TIMEOUT_MS = 200;
    private static final long RPC_TIMEOUT_MS = 5_000; // of other stores

    private TestCluster cluster;
    private CoreDataStore store;

    /** Which calls wait for blocks, and how long from the first one on. */
    private volatile String held = "";

    private volatile long heldNs;
    private long firstNs;

    @BeforeEach
    void start() throws Exception {
        cluster = new TestCluster(64, TestCluster.BLOCK, 0, TOKEN_MS, this::holdingBack);
        cluster.create("/t", CrailNodeType.TABLE);
        CrailConfiguration conf = TestCluster.clientConfiguration();
        conf.set("crail.rpctimeout", TIMEOUT_MS + "ms");
        conf.set("crail.datatimeout", TIMEOUT_MS + "ms");
        store = cluster.newStore(conf);
    }

    @AfterEach
    void close() throws Exception {
        cluster.close();
    }

    private MetadataService holdingBack(MetadataService service) {
        return (MetadataService) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {MetadataService.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals(held) && isEarly()) {
                        throw new BlocksPendingException("none is free yet");
                    }
                    try {
                        return method.invoke(service, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private synchronized boolean isEarly() {
        firstNs = firstNs == 0 ? System.nanoTime() : firstNs;
        return System.nanoTime() - firstNs < heldNs;
    }

    private void hold(String method, long ms) {
        heldNs = TimeUnit.MILLISECONDS.toNanos(ms);
        held = method;
    }

    private CrailFile create(CoreDataStore by) throws Exception {
        return TestCluster.create(by, "/t/k", CrailNodeType.KEYVALUE).asKeyValue();
    }

    @Test
    void shouldWriteWithATokenForWhichTheCreateWaitedLongerThanTokensLive() throws Exception {
        TestCluster.write(create(cluster.store), TestCluster.pattern(100, 1));
        CrailConfiguration conf = TestCluster.clientConfiguration();
        CoreDataStore patient = cluster.newStore(conf);
        hold("create", 2 * TOKEN_MS + TIMEOUT_MS);

        TestCluster.write(create(patient), TestCluster.pattern(200, 2));

        CrailFile found = cluster.store.lookup("/t/k").get().asKeyValue();
        assertThat(TestCluster.read(found)).isEqualTo(TestCluster.pattern(200, 2));
    }

    @Test
    void shouldTransferAgainBehindABlockThatCameLate() throws Exception {
        CrailFile file = TestCluster.create(store, "/f", CrailNodeType.DATAFILE).asFile();
        CrailOutputStream out = file.getDirectOutputStream(0);
        out.write(TestCluster.buffer(TestCluster.pattern(TestCluster.BLOCK, 1))).get();
        hold("map", 3 * TIMEOUT_MS);
        cluster.tier.failNext(HeapTier.Access::write, new StaleBlockException("moved"));

        out.write(TestCluster.buffer(TestCluster.pattern(100, 2))).get();
        out.close();

        assertThat(file.getCapacity()).isEqualTo(TestCluster.BLOCK + 100);
    }

    @Test
    void shouldWaitForOperationsAsLongAsTheyWaitForBlocks() throws Exception {
        TestCluster slow = new TestCluster();
        long limitMs = slow.store.calls().waitLimitMs();
        slow.close();
        assertThat(limitMs).isGreaterThan(TestCluster.TOKEN_MS + RPC_TIMEOUT_MS);
    }
}
