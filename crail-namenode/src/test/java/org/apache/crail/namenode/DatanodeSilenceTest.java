/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.namenode;

import static org.apache.crail.namenode.Fixture.DATANODE_TIMEOUT_MS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.crail.CrailNodeType;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.metadata.FileInfo;
import org.apache.crail.namenode.block.BlockSelection;
import org.apache.crail.rpc.message.HeartbeatRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What counts as the silence of a datanode. */
class DatanodeSilenceTest {
    private static final long PERIOD_MS = DATANODE_TIMEOUT_MS / 8;

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
    @Test
    @Timeout(60)
    void shouldTakeHeartbeatsWhileOthersHoldTheLock() throws Exception {
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
        AtomicReference<Exception> failure = new AtomicReference<>();
        Thread holder = new Thread(
                () -> {
                    try {
                        held.create("/d", CrailNodeType.DIRECTORY);
                    } catch (Exception e) {
                        failure.set(e);
                    }
                },
                "holder");
        holder.start();
        inside.await();

        held.service.heartbeat(new HeartbeatRequest(datanode, 1));

        leave.countDown();
        holder.join();
        assertThat(failure.get()).isNull();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            if (!latch.await(30, TimeUnit.SECONDS)) {
                throw new AssertionError("nobody let the holder go");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
