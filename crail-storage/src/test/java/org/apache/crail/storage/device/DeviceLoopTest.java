/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.crail.error.ClosedException;
import org.apache.crail.error.CrailException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class DeviceLoopTest {
    private static final class Connection implements DeviceLoop.Source {
        private volatile boolean ended;
        private volatile boolean released;
        private final AtomicInteger polls = new AtomicInteger();
        private volatile DeviceLoop.Taker taker = DeviceLoop.Taker.THREAD;
        private final BlockingQueue<Long> waitedNs = new LinkedBlockingQueue<>();

        @Override
        public int poll() {
            polls.incrementAndGet();
            return 0;
        }

        @Override
        public DeviceLoop.Taker taker(long waitedNs) {
            this.waitedNs.add(waitedNs);
            return taker;
        }

        @Override
        public void arm() {}

        @Override
        public boolean hasEnded() {
            return ended;
        }

        @Override
        public void end(CrailException reason) {
            ended = true;
        }

        @Override
        public void release() {
            released = true;
        }
    }

    private static boolean pause(int timeoutMs) {
        LockSupport.parkNanos(1_000_000);
        return false;
    }

    /** Nobody may be there to wait for what a caller has left. */
    @Test
    @Timeout(60)
    void shouldLookNowAndThenWhileCallersTakeCompletions() {
        DeviceLoop loop = new DeviceLoop("test-completions", DeviceLoopTest::pause, true, () -> {});
        Connection connection = new Connection();
        connection.taker = DeviceLoop.Taker.CALLERS;
        loop.count(1);
        assertThat(loop.add(connection)).isTrue();
        loop.wakeUp();
        while (connection.polls.get() < 5) {
            Thread.onSpinWait();
        }
        loop.close(new ClosedException("the store has been closed"));
        assertThat(connection.released).isTrue();
    }

    /** They are not to be trusted for ever. */
    @Test
    @Timeout(60)
    void shouldTellHowLongItHasLeftCompletionsToCallers() throws Exception {
        DeviceLoop loop = new DeviceLoop("test-completions", DeviceLoopTest::pause, true, () -> {});
        Connection connection = new Connection();
        connection.taker = DeviceLoop.Taker.CALLERS;
        loop.count(1);
        assertThat(loop.add(connection)).isTrue();
        loop.wakeUp();
        assertThat(connection.waitedNs.take()).as("before it has left them any").isZero();
        long before = 0;
        for (int longer = 0; longer < 3; ) {
            long waitedNs = connection.waitedNs.take(); // none after a pause that a call has ended
            longer += waitedNs > before ? 1 : 0;
            before = waitedNs;
        }
        loop.close(new ClosedException("the store has been closed"));
    }

    /** Waking up may cost more than a short transfer takes. */
    @Test
    @Timeout(60)
    void shouldLookLessOftenTheLongerCallersTakeCompletions() {
        DeviceLoop loop = new DeviceLoop("test-completions", DeviceLoopTest::pause, true, () -> {});
        Connection connection = new Connection();
        connection.taker = DeviceLoop.Taker.CALLERS;
        loop.count(1);
        long startNs = System.nanoTime();
        assertThat(loop.add(connection)).isTrue();
        loop.wakeUp();
        while (connection.polls.get() < 30) {
            LockSupport.parkNanos(100_000);
        }
        assertThat(System.nanoTime() - startNs).isGreaterThan(200_000_000);
        loop.close(new ClosedException("the store has been closed"));
    }

    @Test
    void shouldReleaseConnectionsThatAreMadeBeforeAndAfterItsEnd() {
        DeviceLoop loop = new DeviceLoop("test-completions", DeviceLoopTest::pause, false, () -> {});
        Connection before = new Connection();
        assertThat(loop.add(before)).isTrue();
        loop.close(new ClosedException("the store has been closed"));
        assertThat(before.released).isTrue();
        Connection after = new Connection();
        assertThat(loop.add(after)).isFalse();
        assertThat(after.ended).isTrue();
        assertThat(after.released).isTrue();
    }
}
