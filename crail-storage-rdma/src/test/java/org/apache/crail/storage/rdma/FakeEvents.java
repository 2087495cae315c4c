/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import java.util.concurrent.TimeUnit;
import org.apache.crail.storage.device.DeviceLoop;

/** Where {@link FakeQueue}s tell of their completions. Thread safe. */
final class FakeEvents implements DeviceLoop.EventSource {
    private int untold;
    private int untaken;
    private int awaits;
    private int overlooked;

    /** Something completed. */
    synchronized void complete(boolean tell) {
        untaken++;
        if (tell) {
            untold++;
            notifyAll();
        }
    }

    /** Completions have been taken. */
    synchronized void take(int count) {
        untaken -= count;
    }

    @Override
    public synchronized boolean await(int timeoutMs) {
        awaits++;
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        try {
            for (long leftMs = timeoutMs; untold == 0 && leftMs > 0; ) {
                wait(leftMs);
                leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (untold == 0) {
            overlooked += untaken;
            return false;
        }
        untold--;
        return true;
    }

    /** How often somebody has begun to wait. */
    synchronized int awaits() {
        return awaits;
    }

    /** Completions that were there when somebody had waited in vain. */
    synchronized int overlooked() {
        return overlooked;
    }
}
