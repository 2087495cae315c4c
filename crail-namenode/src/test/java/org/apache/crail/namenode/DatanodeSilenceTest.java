/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.apache.crail.namenode.Fixture.DATANODE_TIMEOUT_MS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.crail.CrailNodeType;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.namenode.block.BlockSelection;
import org.apache.crail.rpc.message.HeartbeatRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What counts as the silence of a datanode. */
class DatanodeSilenceTest {
    private static final long PERIOD_MS = DATANODE_TIMEOUT_MS / 8;
    private static final long ANSWER_LIMIT_S = 30;

    private final Fixture namenode = new Fixture();
    private final DataNodeInfo datanode = Fixture.datanode("dn", 0, 0);

    @Test
    void shouldNotCountTimeInWhichItStoodStillItself() throws Exception {
        namenode.register(datanode, 1, 4);
        FileInfo file = namenode.hiddenFile("/f").file();
        namenode.close(file, 1); // what nobody has written is given back when its token expires
        namenode.pass(PERIOD_MS);

        namenode.clock.advanceMs(3 * DATANODE_TIMEOUT_MS);

        namenode.hiddenFile("/g");
        namenode.service.reclaim();
        assertThat(namenode.reportOf(datanode).live()).isTrue();
        assertThat(namenode.read(file.getFd(), 0, 1)).hasSize(1);
        assertThat(namenode.reportOf(datanode).heartbeatAgeMs()).isLessThanOrEqualTo(2 * PERIOD_MS);
    }

    @Test
    void shouldMissADatanodeThatIsSilentAfterwards() throws Exception {
        namenode.register(datanode, 1, 4);
        namenode.clock.advanceMs(3 * DATANODE_TIMEOUT_MS);
        namenode.heartbeat(datanode, 1); // before the first look
        namenode.pass(DATANODE_TIMEOUT_MS + PERIOD_MS + 1);
        assertThat(namenode.reportOf(datanode).live()).isFalse();
    }

    /** Whoever makes a path holds the lock for as long as the clock lets it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Timeout(60)
    void shouldTakeHeartbeatsWhileOthersHoldTheLock(boolean isLast) throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        ManualClock clock = new ManualClock() {
            @Override
            public long currentTimeMillis() {
                if (Thread.currentThread().getName().equals("holder")) {
                    inside.countDown();
                    awaitUninterruptibly(leave);
                }
                return super.currentTimeMillis();
            }
        };
        Fixture held = new Fixture(BlockSelection.ROUNDROBIN, clock);
        held.register(datanode, 1, 4);
        FutureTask<Object> creation = new FutureTask<>(() -> held.create("/d", CrailNodeType.DIRECTORY));
        Thread holder = new Thread(creation, "holder");
        FutureTask<Object> heartbeat =
                new FutureTask<>(() -> held.service.heartbeat(new HeartbeatRequest(datanode, 1, isLast)));
        Thread beating = new Thread(heartbeat, "heartbeat");
        holder.start();
        inside.await();
        try {
            beating.start();
            assertThat(heartbeat.get(ANSWER_LIMIT_S, TimeUnit.SECONDS)).isNotNull();
            assertThat(creation).as("the holder of the lock").isNotDone();
        } finally {
            leave.countDown();
        }
        assertThat(creation.get()).isNotNull();
        beating.join();
        assertThat(held.info("/d")).isNotNull();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
