/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.crail.error.ClosedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that looks after a datanode's target: it sends keep-alives, sees whether the namespace is as it was and
 * the datanode's label is there, and connects anew, after growing pauses, when the target is lost. Thread safe.
 */
final class TargetWatch {
    private static final Logger LOG = LoggerFactory.getLogger(TargetWatch.class);

    /** Unless keep-alives are longer; each attempt that fails leaves a thread of jNVMf behind (P39). */
    private static final long LONGEST_PAUSE_MS = TimeUnit.MINUTES.toMillis(5);

    private final NvmfDatanodeSettings settings;
    private final WatchedTarget.Opener opener;
    private final long begin;
    private final long incarnation;
    private final NamespaceShape shape;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;
    private WatchedTarget target; // guarded by this; null after close
    private volatile long lastSeenNs = System.nanoTime();
    private volatile boolean isLost;
    private int failures;
    private boolean hasGrown;

    /** Prepares to watch a target that has been connected. */
    TargetWatch(
            NvmfDatanodeSettings settings,
            WatchedTarget.Opener opener,
            WatchedTarget target,
            long begin,
            long incarnation)
            throws IOException {
        this.settings = settings;
        this.opener = opener;
        this.target = target;
        this.begin = begin;
        this.incarnation = incarnation;
        this.shape = target.shape();
        this.thread =
                new Thread(this::run, "crail-nvmf-watch-" + settings.target().port());
        thread.setDaemon(true);
    }

    /**
     * Writes the datanode's label, and starts the thread.
     *
     * @throws IOException if the label cannot be written; the target is not watched then
     */
    void start() throws IOException {
        WatchedTarget present = present();
        if (present != null) {
            present.writeLabel(begin, incarnation);
            thread.start();
        }
    }

    private synchronized WatchedTarget present() {
        return target;
    }

    /** Whether the target answered the last keep-alive, in time, and has the datanode's data. */
    boolean isAlive() {
        long limitMs = 2 * settings.keepAliveMs() + settings.connectTimeoutMs();
        return !isLost && System.nanoTime() - lastSeenNs < TimeUnit.MILLISECONDS.toNanos(limitMs);
    }

    private void run() {
        try {
            while (!stop.await(pauseMs(), TimeUnit.MILLISECONDS)) {
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private long pauseMs() {
        long keepAliveMs = settings.keepAliveMs();
        return Math.max(keepAliveMs, Math.min(LONGEST_PAUSE_MS, keepAliveMs * (1 + failures)));
    }

    private void look() {
        try {
            WatchedTarget present = present();
            if (present == null) {
                present = opener.open(settings);
                adopt(present);
            }
            present.keepAlive();
            check(present);
            if (isLost) {
                LOG.info("{} is back with its data", settings.target());
            }
            isLost = false;
            failures = 0;
            lastSeenNs = System.nanoTime();
        } catch (IOException
                | RuntimeException
                | Error e) { // as when memory is short; without this thread it would stay lost
            onFailure(e);
        }
    }

    /** Closes it if the watch has ended meanwhile: nobody else does. */
    private void adopt(WatchedTarget opened) throws ClosedException {
        synchronized (this) {
            if (stop.getCount() > 0) {
                target = opened;
                return;
            }
        }
        opened.close();
        throw new ClosedException("the datanode has been closed");
    }

    private void check(WatchedTarget present) throws IOException {
        NamespaceShape now = present.shape();
        if (now.sectors() < shape.sectors() || now.sectorBytes() != shape.sectorBytes()) {
            throw new IOException("the namespace had " + shape + " and has " + now
                    + "; restore it, or restart the datanode, whose data is lost then");
        }
        if (now.sectors() > shape.sectors() && !hasGrown) {
            hasGrown = true;
            LOG.info("{} has grown to {}; restart the datanode to offer what is new", settings.target(), now);
        }
        if (!present.hasLabel(begin, incarnation)) {
            throw new IOException("the range from " + begin + " on does not hold this datanode's data any more; restart"
                    + " the datanode to begin anew");
        }
    }

    private void onFailure(Throwable failure) {
        failures++;
        if (!isLost && stop.getCount() > 0) {
            LOG.warn(
                    "{} is lost, and so is this datanode until it is back: {}",
                    settings.target(),
                    failure instanceof IOException ? failure.getMessage() : failure.toString());
        }
        isLost = true;
        closeTarget();
    }

    private void closeTarget() {
        WatchedTarget last;
        synchronized (this) {
            last = target;
            target = null;
        }
        if (last != null) {
            last.close();
        }
    }

    void close() {
        synchronized (this) {
            stop.countDown();
        }
        thread.interrupt();
        closeTarget();
    }
}
