/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.crail.internal.OwnFiles;
import org.apache.crail.local.block.FenceFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes the files of regions. Stateless; the caller holds the lock of their directory. */
final class RegionFiles {
    private static final Logger LOG = LoggerFactory.getLogger(RegionFiles.class);

    private RegionFiles() {}

    /**
     * Removes the fences that a former datanode left beside the regions that it has kept.
     *
     * @throws IOException if its clients cannot be told that it has ended, or a fence cannot be removed; nothing else
     *     is
     */
    static void retireFences(Path directory) throws IOException {
        for (Path fence : FenceFile.in(directory)) {
            FenceFile.retire(fence);
        }
    }

    /** Removes all files of a datanode, and its directory if nothing else is in it. The caller holds its lock. */
    static void removeDirectory(Path directory) throws IOException {
        removeAll(directory);
        Files.deleteIfExists(directory.resolve(DataDirectory.LOCK_FILE));
        Files.delete(directory);
    }

    /** Removes the files of all regions and their fences. */
    static void removeAll(Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, FenceFile.REGION_PREFIX + "*")) {
            for (Path file : files) {
                if (!FenceFile.isFence(file)) {
                    truncateQuietly(file); // clients that still map it must not keep its memory
                }
                Files.delete(file);
            }
        }
    }

    static void truncateQuietly(Path file) {
        try (FileChannel channel = OwnFiles.openExisting(file, StandardOpenOption.WRITE)) {
            channel.truncate(0);
        } catch (IOException e) {
            LOG.debug("{} could not be truncated", file, e);
        }
    }

    static void deleteQuietly(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.debug("{} could not be deleted", file, e);
        }
    }
}
