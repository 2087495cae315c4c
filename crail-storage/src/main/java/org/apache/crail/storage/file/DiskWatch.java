/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.file;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.crail.internal.LastResort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of a datanode that looks now and then whether the kernel could write back what was written to files on a
 * disk: it tells nobody else. Thread safe.
 */
final class DiskWatch {
    private static final Logger LOG = LoggerFactory.getLogger(DiskWatch.class);

    /**
     * Between two looks. As old as the kernel lets pages become before it writes them back by itself; a look writes
     * younger ones, too.
     */
    private static final long PERIOD_MS = 30_000;

    /** Longer than it takes to write back all that a kernel usually holds back. */
    private static final long MOST_FLUSH_NS = TimeUnit.MINUTES.toNanos(5);

    private final DiskHealth disk;
    private final List<DiskRegion> regions = new CopyOnWriteArrayList<>();
    private final CountDownLatch stop = new CountDownLatch(1);
    private volatile long flushingSinceNs;
    private volatile boolean isFlushing;

    /** Starts the thread. */
    DiskWatch(String name, DiskHealth disk) {
        this.disk = disk;
        Thread thread = new Thread(this::run, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** From now on looks after this one, too. */
    void add(DiskRegion region) {
        regions.add(region);
    }

    private void run() {
        try {
            while (!stop.await(PERIOD_MS, TimeUnit.MILLISECONDS)) {
                LastResort.run(this::look, e -> LOG.error("the files of blocks could not be looked at, trying on", e));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Flushes all regions, until one fails. */
    void look() {
        for (DiskRegion region : regions) {
            if (!disk.hasFailed() && begin()) {
                try {
                    region.flush();
                } finally {
                    end();
                }
            }
        }
    }

    private synchronized boolean begin() {
        flushingSinceNs = System.nanoTime();
        isFlushing = stop.getCount() > 0;
        return isFlushing;
    }

    private synchronized void end() {
        isFlushing = false;
        if (stop.getCount() == 0) {
            closeRegions();
        }
    }

    /** Whether the disk has not failed, and no flush is stuck. */
    boolean isHealthy() {
        return !disk.hasFailed() && !(isFlushing && System.nanoTime() - flushingSinceNs > MOST_FLUSH_NS);
    }

    /**
     * Ends the thread and closes the files; if a flush is under way, which may be stuck, the thread does that after it.
     */
    synchronized void close() {
        stop.countDown();
        disk.stop();
        if (!isFlushing) {
            closeRegions();
        }
    }

    private void closeRegions() {
        for (DiskRegion region : regions) {
            try {
                region.close();
            } catch (IOException e) {
                LOG.debug("a file of blocks could not be closed", e);
            }
        }
    }
}
