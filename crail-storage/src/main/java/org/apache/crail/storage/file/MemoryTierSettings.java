/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.file;

import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.crail.conf.ConfigKey;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.CrailException;
import org.apache.crail.internal.OwnFiles;
import org.apache.crail.local.block.MappedRegion;

/**
 * What a datanode of a memory tier is started with, checked. Immutable.
 *
 * @param keys where the settings come from, for messages
 * @param bind where it listens; the host may be a wildcard or unresolved
 * @param dataPath directory that holds the directories of datanodes
 * @param totalBytes what is offered, a multiple of {@code blockBytes}
 * @param regionBytes length of each file but the last, a multiple of {@code blockBytes}
 * @param blockBytes the block size
 */
public record MemoryTierSettings(
        MemoryTierKeys keys,
        InetSocketAddress bind,
        Path dataPath,
        long totalBytes,
        long regionBytes,
        long blockBytes) {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    /** Reads the configuration, in which the datanode's options have been set. */
    public static MemoryTierSettings of(CrailConfiguration conf, MemoryTierKeys keys) throws ConfigurationException {
        long block = conf.get(CrailKeys.BLOCK_SIZE);
        long total = roundedDown(keys.storageLimit(), conf.get(keys.storageLimit()), block);
        long region = roundedDown(keys.allocationSize(), conf.get(keys.allocationSize()), block);
        return new MemoryTierSettings(
                keys, bindAddress(conf, keys), dataPath(conf, keys), total, Math.min(region, total), block);
    }

    private static long roundedDown(ConfigKey<Long> key, long bytes, long blockBytes) throws ConfigurationException {
        if (bytes < blockBytes) {
            throw new ConfigurationException(key + " = " + bytes + " has no room for one block of " + blockBytes
                    + " bytes; raise it or lower " + CrailKeys.BLOCK_SIZE);
        }
        return bytes / blockBytes * blockBytes;
    }

    private static InetSocketAddress bindAddress(CrailConfiguration conf, MemoryTierKeys keys)
            throws ConfigurationException {
        int port = conf.get(keys.port());
        String networkInterface = conf.get(keys.networkInterface()).strip();
        if (!networkInterface.isEmpty()) {
            return new InetSocketAddress(InterfaceAddresses.of(keys.networkInterface(), networkInterface), port);
        }
        String bind = conf.get(CrailKeys.DATANODE_BIND).strip();
        String host = bind.isEmpty() ? conf.get(CrailKeys.DATANODE_HOST).strip() : bind;
        return host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
    }

    /** In which directory datanodes have theirs. */
    public static Path dataPath(CrailConfiguration conf, MemoryTierKeys keys) throws ConfigurationException {
        String configured = conf.get(keys.dataPath());
        if (!configured.isBlank()) {
            return Path.of(configured.strip());
        }
        boolean isShared = Files.isDirectory(SHARED_MEMORY) && Files.isWritable(SHARED_MEMORY);
        Path base = isShared ? SHARED_MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
        return base.resolve("crail-" + OwnFiles.userText());
    }

    /** The same with files each of which can be mapped as one. */
    public MemoryTierSettings withOneMappingPerFile() {
        long most = MappedRegion.segmentBytes(blockBytes);
        return new MemoryTierSettings(keys, bind, dataPath, totalBytes, Math.min(regionBytes, most), blockBytes);
    }

    /**
     * Takes a directory for a datanode that is reached at {@code address}; it is empty, and removed when it is closed.
     */
    public DataDirectory claimDirectory(InetSocketAddress address) throws CrailException {
        DataDirectory directory = new DataPath(dataPath, keys).claim(keys.directoryName(address));
        boolean fits = false;
        try {
            directory.requireRoom(totalBytes);
            fits = true;
            return directory;
        } finally {
            if (!fits) {
                directory.close();
            }
        }
    }

    /**
     * Takes the directory of the datanode at {@code address}, with the data of the one before if that had the same
     * sizes; it stays when it is closed.
     */
    public DataDirectory claimKeptDirectory(InetSocketAddress address) throws CrailException {
        return new DataPath(dataPath, keys).claimKept(keys.directoryName(address), this);
    }
}
