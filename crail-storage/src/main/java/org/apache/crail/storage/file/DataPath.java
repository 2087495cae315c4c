/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.StorageFailureException;
import org.apache.crail.internal.OwnFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory in which the datanodes of a user have their own directories, as {@link OwnFiles} says: nothing is made,
 * locked or removed in one that is not the user's alone. Those whose datanode has crashed are removed: that is, those
 * which hold a lock file that nobody has locked. Thread safe, between processes too.
 */
final class DataPath {
    private static final Logger LOG = LoggerFactory.getLogger(DataPath.class);
    private static final Object IN_THIS_PROCESS = new Object();
    private static final String GUARD = ".crail-lock";
    private static final int MOST_NAMES = 1000;

    private final Path path;
    private final MemoryTierKeys keys;

    /** Names a directory, which is made if only its last component is missing. */
    DataPath(Path path, MemoryTierKeys keys) {
        this.path = path;
        this.keys = keys;
    }

    /** Removes what crashed datanodes left, and makes a directory that is ours alone until it is closed. */
    DataDirectory claim(String name) throws CrailException {
        return claim(() -> claimFree(name));
    }

    /**
     * The directory of this name, with what it holds if that fits the settings; nobody removes it when it is closed.
     */
    DataDirectory claimKept(String name, MemoryTierSettings settings) throws CrailException {
        return claim(() -> claimNamed(path.resolve(name), settings));
    }

    private interface Claim {
        DataDirectory make() throws IOException;
    }

    private DataDirectory claim(Claim claim) throws CrailException {
        ensureUsable();
        synchronized (IN_THIS_PROCESS) {
            try (FileChannel guard = OwnFiles.openOrCreate(path.resolve(GUARD));
                    FileLock held = guard.lock()) {
                LOG.trace("{} is held: {}", path, held.isValid());
                removeLeftovers();
                return claim.make();
            } catch (IOException e) {
                throw new StorageFailureException("data path " + path + " cannot be used: " + e, e);
            }
        }
    }

    private DataDirectory claimNamed(Path own, MemoryTierSettings settings) throws IOException {
        try {
            OwnFiles.ensureDirectory(own);
        } catch (IOException e) {
            throw new IOException(own + " " + e.getMessage(), e);
        }
        if (DataDirectory.isHeldByThisProcess(own)) {
            throw new IOException(own + " is in use by another datanode of this process");
        }
        FileChannel lockFile = OwnFiles.openOrCreate(own.resolve(DataDirectory.LOCK_FILE));
        boolean isClaimed = false;
        try {
            FileLock lock = lockFile.tryLock();
            if (lock == null) {
                throw new IOException(own + " is in use by another datanode");
            }
            KeptState state = KeptState.read(own, settings);
            if (state == null) {
                RegionFiles.removeAll(own);
                state = KeptState.fresh(settings);
                state.write(own);
            }
            RegionFiles.retireFences(own); // before a client can connect that would look for them
            DataDirectory claimed = new DataDirectory(own, lockFile, lock, keys, state);
            isClaimed = true;
            return claimed;
        } finally {
            if (!isClaimed) {
                lockFile.close();
            }
        }
    }

    private void ensureUsable() throws ConfigurationException {
        try {
            OwnFiles.ensureDirectory(path);
        } catch (IOException e) {
            throw new ConfigurationException(
                    "data path " + path + " " + e.getMessage() + "; make " + keys.dataPath()
                            + " a directory on tmpfs, hugetlbfs or a disk that belongs to the user of the datanode and that"
                            + " nobody else may write to, or one that can be made",
                    e);
        }
    }

    private DataDirectory claimFree(String name) throws IOException {
        for (int i = 0; i < MOST_NAMES; i++) {
            Path own = path.resolve(i == 0 ? name : name + "-" + i);
            if (!Files.exists(own, LinkOption.NOFOLLOW_LINKS)) {
                OwnFiles.ensureDirectory(own);
                FileChannel lockFile = OwnFiles.openOrCreate(own.resolve(DataDirectory.LOCK_FILE));
                return new DataDirectory(own, lockFile, lockFile.lock(), keys, null);
            }
        }
        throw new IOException(name + " and its alternatives are all taken");
    }

    private void removeLeftovers() throws IOException {
        try (DirectoryStream<Path> children = Files.newDirectoryStream(path)) {
            for (Path child : children) {
                Path lockFile = child.resolve(DataDirectory.LOCK_FILE);
                if (Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)
                        && Files.isRegularFile(lockFile, LinkOption.NOFOLLOW_LINKS)
                        && !Files.exists(child.resolve(KeptState.FILE), LinkOption.NOFOLLOW_LINKS)) {
                    removeUnlessInUse(child, lockFile);
                }
            }
        }
    }

    private static void removeUnlessInUse(Path directory, Path lockFile) {
        try {
            OwnFiles.requireDirectory(directory);
            if (!DataDirectory.isHeldByThisProcess(directory)) {
                removeUnlessLocked(directory, lockFile);
            }
        } catch (NoSuchFileException e) {
            LOG.debug("the datanode of {} has removed it meanwhile", directory, e);
        } catch (IOException e) {
            LOG.warn("{}, which a datanode left behind, could not be removed", directory, e);
        }
    }

    private static void removeUnlessLocked(Path directory, Path lockFile) throws IOException {
        try (FileChannel channel = OwnFiles.openExisting(lockFile, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            if (lock != null) {
                LOG.info("removing {}, which a datanode left behind that did not stop cleanly", directory);
                RegionFiles.removeDirectory(directory);
            }
        }
    }
}
