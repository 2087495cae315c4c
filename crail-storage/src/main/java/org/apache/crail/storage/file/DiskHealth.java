/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the disk under the files of a datanode has failed: with one of them, all have, and for good, since the kernel
 * tells a failure once, and not what is lost. What happens to files that are being closed is no failure of the disk.
 * Thread safe.
 */
final class DiskHealth {
    private static final Logger LOG = LoggerFactory.getLogger(DiskHealth.class);

    private final AtomicBoolean failed = new AtomicBoolean();
    private final AtomicBoolean readFailed = new AtomicBoolean();
    private volatile boolean stopped;

    /** A file could not be written, or not written back. Logged when it is the first. */
    void writeFailed(Path file, IOException cause) {
        if (!stopped && failed.compareAndSet(false, true)) {
            LOG.error(
                    "{} could not be written; this datanode sends no heartbeats any more, so its blocks count as lost;"
                            + " mend the disk and restart the datanode",
                    file,
                    cause);
        }
    }

    /** A file could not be read; what is written may be right all the same. Logged when it is the first. */
    void readFailed(Path file, IOException cause) {
        if (!stopped && readFailed.compareAndSet(false, true)) {
            LOG.error(
                    "{} could not be read; clients are told, and further failures are not logged; check the disk",
                    file,
                    cause);
        }
    }

    /** Whether a write has failed. */
    boolean hasFailed() {
        return failed.get();
    }

    /** From now on files are closed. */
    void stop() {
        stopped = true;
    }
}
