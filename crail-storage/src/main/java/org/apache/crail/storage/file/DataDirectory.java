/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.crail.error.CrailException;
import org.apache.crail.error.StorageFailureException;
import org.apache.crail.internal.FilePages;
import org.apache.crail.internal.Incarnation;
import org.apache.crail.internal.OwnFiles;
import org.apache.crail.local.block.BlockFence;
import org.apache.crail.local.block.FenceFile;
import org.apache.crail.local.block.FileMemory;
import org.apache.crail.local.block.LocalOffer;
import org.apache.crail.local.block.MappedRegion;
import org.apache.crail.local.block.RegionName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of one datanode with the files of its regions, removed when it is closed unless they are kept. Thread
 * safe.
 */
public final class DataDirectory implements AutoCloseable {
    /** Name of the file in a directory that its datanode keeps locked. */
    public static final String LOCK_FILE = "crail-datanode.lock";

    private static final Logger LOG = LoggerFactory.getLogger(DataDirectory.class);

    private static final int BITS_OF_MIB = 20;

    /**
     * Directories of the datanodes of this process. Their lock files are not to be opened again: the system drops all
     * locks of a process on a file when it closes any descriptor of that file.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final Path realPath;
    private final FileChannel lockFile;
    private final FileLock lock;
    private final MemoryTierKeys keys;
    private final boolean kept;
    private final long incarnation;
    private final boolean hasFormerData;
    private final List<Path> regions = new ArrayList<>();
    private final List<MappedRegion> mapped = new CopyOnWriteArrayList<>();
    private final List<FileChannel> pages = new ArrayList<>();
    private final SharedFences fences;
    private final DiskHealth disk = new DiskHealth();
    private volatile DiskWatch watch; // when there is something on a disk
    private volatile boolean closed;

    /**
     * Takes over a directory whose lock is held.
     *
     * @param state what is known of the data that stays, or null if none does
     */
    DataDirectory(Path directory, FileChannel lockFile, FileLock lock, MemoryTierKeys keys, KeptState state)
            throws IOException {
        this.directory = directory;
        this.realPath = directory.toRealPath();
        this.fences = new SharedFences(realPath);
        this.keys = keys;
        this.kept = state != null;
        this.incarnation = kept ? state.incarnation() : Incarnation.next();
        this.hasFormerData = kept && Files.exists(directory.resolve(FenceFile.REGION_PREFIX + 0));
        this.lockFile = lockFile;
        this.lock = lock;
        HELD.add(realPath);
    }

    static boolean isHeldByThisProcess(Path directory) throws IOException {
        return HELD.contains(directory.toRealPath());
    }

    /** Where it is. */
    public Path path() {
        return directory;
    }

    /** A number that changes each time the directory is taken without former data in it. */
    public long incarnation() {
        return incarnation;
    }

    /** Whether it was taken with former data in it. */
    public boolean hasFormerData() {
        return hasFormerData;
    }

    /**
     * Finds out early whether there is room for so many bytes.
     *
     * @throws StorageFailureException if there is not, or it cannot be told
     */
    void requireRoom(long bytes) throws StorageFailureException {
        long room = room();
        if (room < bytes) {
            throw new StorageFailureException(keys.storageLimit() + " = " + size(bytes) + " do not fit: " + size(room)
                    + " are free in " + directory.getParent() + "; make space, lower it or choose another "
                    + keys.dataPath());
        }
    }

    private long room() throws StorageFailureException {
        try {
            FileStore store = Files.getFileStore(directory);
            FileMemory kind = FileMemory.of(directory);
            if (store.getTotalSpace() == 0) {
                return Long.MAX_VALUE; // it does not say
            }
            boolean isLimited = kind.isInMemory() && !kind.isHugePages(); // those have a limit of their own
            return Math.min(store.getUsableSpace(), isLimited ? FreeMemory.bytes() : Long.MAX_VALUE);
        } catch (IOException e) {
            throw new StorageFailureException("the free space of " + directory + " cannot be told: " + e, e);
        }
    }

    private static String size(long bytes) {
        return bytes + " bytes (" + (bytes >> BITS_OF_MIB) + " MiB)";
    }

    /** Whether files are in memory; those on a disk are better not mapped. */
    public boolean isInMemory() throws CrailException {
        try {
            return FileMemory.of(directory).isInMemory();
        } catch (IOException e) {
            throw new StorageFailureException("it cannot be told what " + directory + " is on: " + e, e);
        }
    }

    /**
     * Makes the file of the next region, with all its pages, unless it is there from before, and maps it.
     *
     * @throws StorageFailureException if there is not enough space; nothing is left behind
     */
    public synchronized MappedRegion createRegion(long length, long blockBytes) throws CrailException {
        MappedRegion region = make(length, (path, file) -> {
            try (FileChannel channel = file) {
                FileMemory kind = FileMemory.of(directory);
                MappedRegion made = MappedRegion.map(path, channel, length, blockBytes, kind);
                if (kind.isInMemory()) {
                    made.load();
                }
                return made;
            }
        });
        mapped.add(region);
        return region;
    }

    /** The same without mapping it. */
    public synchronized DiskRegion createDiskRegion(long length, long blockBytes) throws CrailException {
        DiskRegion region = make(length, (path, file) -> new DiskRegion(path, file, length, blockBytes, disk));
        if (watch == null) {
            watch = new DiskWatch("crail-disk-watch-" + directory.getFileName(), disk);
        }
        watch.add(region);
        return region;
    }

    /**
     * The file of a mapped region, to be read while this is open, and not to be closed by the caller.
     *
     * @return nothing where bytes can be had through the mapping only
     */
    public synchronized Optional<FileChannel> openPages(MappedRegion region) {
        try {
            if (closed || FileMemory.of(directory).isHugePages()) {
                return Optional.empty();
            }
            FileChannel file = OwnFiles.openExisting(region.path(), StandardOpenOption.READ);
            pages.add(file);
            return Optional.of(file);
        } catch (IOException e) {
            LOG.warn("bytes of {} are copied before they are sent, as it cannot be opened", region.path(), e);
            return Optional.empty();
        }
    }

    /**
     * Whether what was written could be written to the medium, as far as is known, and no mapped file that is needed
     * has been cut short. Does not wait for a region that is being made.
     */
    public boolean isHealthy() {
        if (closed) {
            return false;
        }
        mapped.forEach(MappedRegion::check);
        DiskWatch present = watch;
        return mapped.stream().noneMatch(MappedRegion::hasFailed) && (present == null || present.isHealthy());
    }

    /** What becomes of a file; closes it unless it is kept open. */
    private interface Use<T> {
        T of(Path path, FileChannel file) throws IOException;
    }

    private <T> T make(long length, Use<T> use) throws CrailException {
        Path file = directory.resolve(FenceFile.REGION_PREFIX + regions.size());
        try {
            FileChannel channel;
            if (kept
                    && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    && Files.size(file) == FileMemory.of(directory).roundedUp(length)) {
                channel = OwnFiles.openExisting(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
            } else {
                Files.deleteIfExists(file);
                requireSpace(length);
                channel = create(file, length);
            }
            T region = use.of(file, channel);
            regions.add(file);
            return region;
        } catch (IOException | InternalError e) { // InternalError is what the JVM makes of a SIGBUS in mapped memory
            RegionFiles.deleteQuietly(file);
            throw new StorageFailureException(
                    "region " + file + " of " + length + " bytes cannot be allocated: " + e.getMessage() + "; "
                            + usableSpace() + " bytes are free there; make space, lower " + keys.storageLimit()
                            + " or choose another " + keys.dataPath(),
                    e);
        }
    }

    /**
     * Makes the fence of the region that was made last where clients on this host find it, if the files are in ordinary
     * memory.
     *
     * @param bytesToCome what regions that are to be made still need
     * @param name what clients are to know the region by
     * @return nothing if the region is not shared
     */
    public synchronized Optional<BlockFence> shareRegion(MappedRegion region, long bytesToCome, RegionName name) {
        Path file = regions.get(regions.size() - 1);
        try {
            if (!FileMemory.of(file).canBeShared()) {
                return Optional.empty();
            }
            requireSpace(bytesToCome + FenceFile.bytes(region.blocks()));
            FenceFile made = fences.make(file, region, name);
            region.share(made);
            return Optional.of(made.fence());
        } catch (IOException | InternalError e) {
            LOG.warn(
                    "clients on this host cannot copy blocks themselves: {} cannot be made", FenceFile.beside(file), e);
            RegionFiles.deleteQuietly(FenceFile.beside(file));
            return Optional.empty();
        }
    }

    /**
     * How clients on this host find the regions that are shared, if they have a proof of their own that those are the
     * datanode's.
     */
    public LocalOffer offer() {
        return fences.offer();
    }

    /** The same with a stamp, which copies of the files do not have that were made before. */
    public LocalOffer stampedOffer() {
        return fences.stampedOffer();
    }

    private void requireSpace(long length) throws IOException {
        FileStore store = Files.getFileStore(directory);
        if (store.getTotalSpace() > 0 && store.getUsableSpace() < length) { // hugetlbfs may tell no sizes, but reserves
            throw new IOException("not enough space");
        }
    }

    private FileChannel create(Path file, long length) throws IOException {
        FileChannel channel = OwnFiles.create(file);
        boolean done = false;
        try {
            if (!FileMemory.of(directory).isHugePages()) { // those are reserved by the mapping
                FilePages.fill(channel, length);
            }
            done = true;
            return channel;
        } finally {
            if (!done) {
                channel.close();
            }
        }
    }

    private String usableSpace() {
        try {
            return Long.toString(Files.getFileStore(directory).getUsableSpace());
        } catch (IOException e) {
            return "an unknown number of";
        }
    }

    /**
     * Removes everything, unless it is kept. The memory is given back at once, so nobody may use a mapping any more.
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (watch != null) {
            watch.close();
        }
        fences.stop();
        pages.forEach(DataDirectory::closeQuietly);
        try {
            if (!kept) {
                regions.forEach(RegionFiles::truncateQuietly);
                RegionFiles.removeDirectory(directory);
            }
            lock.release();
            lockFile.close();
        } catch (IOException e) {
            LOG.warn("{} could not be removed; the next datanode there does it", directory, e);
        } finally {
            HELD.remove(realPath);
        }
    }

    private static void closeQuietly(FileChannel file) {
        try {
            file.close();
        } catch (IOException e) {
            LOG.debug("a file that was only read could not be closed", e);
        }
    }
}
