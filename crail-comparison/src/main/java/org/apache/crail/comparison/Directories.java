/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Removes directories. Stateless. */
public final class Directories {
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long PAUSE_MS = 20;

    private Directories() {}

    /**
     * Removes a directory with all that is in it, also if processes that are just ending put or remove something there.
     */
    public static void remove(Path directory) throws IOException {
        long endNs = System.nanoTime() + LIMIT_NS;
        while (!isRemoved(directory.toFile())) {
            if (System.nanoTime() - endNs > 0) {
                throw new IOException(
                        directory + " cannot be removed: something keeps writing to it, or may not be deleted");
            }
            try {
                Thread.sleep(PAUSE_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException(directory + " has not been removed: interrupted", e);
            }
        }
    }

    /** One attempt, which goes on behind what cannot be removed. */
    private static boolean isRemoved(File file) {
        File[] children = Files.isSymbolicLink(file.toPath()) ? null : file.listFiles(); // null: no directory, or gone
        if (children != null) {
            for (File child : children) {
                boolean ignored = isRemoved(child);
            }
        }
        return file.delete() || Files.notExists(file.toPath(), java.nio.file.LinkOption.NOFOLLOW_LINKS);
    }
}
