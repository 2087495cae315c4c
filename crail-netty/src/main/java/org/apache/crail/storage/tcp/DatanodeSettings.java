/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.tcp;

import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.crail.conf.ConfigKey;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.netty.TcpTierKeys;

/**
 * What a datanode is started with, checked. Immutable.
 *
 * @param bind where it listens
 * @param threads that serve connections, or 0 for as many as fit the machine
 * @param dataPath directory that holds the directories of datanodes
 * @param totalBytes what is offered, a multiple of {@code blockBytes}
 * @param regionBytes length of each region but the last, a multiple of {@code blockBytes}
 * @param blockBytes the block size
 * @param clusterId the cluster
 */
record DatanodeSettings(
        InetSocketAddress bind,
        int threads,
        Path dataPath,
        long totalBytes,
        long regionBytes,
        long blockBytes,
        String clusterId) {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final Map<String, ConfigKey<?>> OPTIONS = Map.of(
            "-p", TcpTierKeys.STORAGE_PORT,
            "-i", TcpTierKeys.STORAGE_INTERFACE,
            "-c", TcpTierKeys.STORAGE_CORES,
            "-d", TcpTierKeys.STORAGE_DATA_PATH,
            "-l", TcpTierKeys.STORAGE_LIMIT);
    private static final String USAGE = "-p port, -i network interface, -c threads, -d data path, -l storage limit";

    /** Reads the configuration, and the options, which override it. */
    static DatanodeSettings of(CrailConfiguration configuration, List<String> options) throws ConfigurationException {
        CrailConfiguration conf = configuration.copy();
        applyOptions(conf, options);
        long block = conf.get(CrailKeys.BLOCK_SIZE);
        long total = roundedDown(TcpTierKeys.STORAGE_LIMIT, conf.get(TcpTierKeys.STORAGE_LIMIT), block);
        long region =
                roundedDown(TcpTierKeys.STORAGE_ALLOCATION_SIZE, conf.get(TcpTierKeys.STORAGE_ALLOCATION_SIZE), block);
        return new DatanodeSettings(
                bindAddress(conf),
                conf.get(TcpTierKeys.STORAGE_CORES),
                dataPath(conf.get(TcpTierKeys.STORAGE_DATA_PATH)),
                total,
                Math.min(region, total),
                block,
                conf.get(CrailKeys.CLUSTER_ID));
    }

    private static void applyOptions(CrailConfiguration conf, List<String> options) throws ConfigurationException {
        for (Iterator<String> it = options.iterator(); it.hasNext(); ) {
            String option = it.next();
            String name = option.substring(0, Math.min(2, option.length()));
            ConfigKey<?> key = OPTIONS.get(name);
            if (key == null) {
                throw new ConfigurationException("unknown option \"" + option + "\" of the tcp tier; it has " + USAGE);
            }
            if (option.length() == name.length() && !it.hasNext()) {
                throw new ConfigurationException("option " + name + " of the tcp tier has no value; it sets " + key
                        + ", which must be " + key.allowed());
            }
            String value = option.length() > name.length() ? option.substring(name.length()) : it.next();
            apply(conf, name, key, value);
        }
    }

    private static void apply(CrailConfiguration conf, String option, ConfigKey<?> key, String value)
            throws ConfigurationException {
        try {
            key.parse(value);
        } catch (ConfigurationException e) {
            throw new ConfigurationException("option " + option + " of the tcp tier: " + e.getMessage(), e);
        }
        conf.set(key.name(), value);
    }

    private static long roundedDown(ConfigKey<Long> key, long bytes, long blockBytes) throws ConfigurationException {
        if (bytes < blockBytes) {
            throw new ConfigurationException(key + " = " + bytes + " has no room for one block of " + blockBytes
                    + " bytes; raise it or lower " + CrailKeys.BLOCK_SIZE);
        }
        return bytes / blockBytes * blockBytes;
    }

    private static InetSocketAddress bindAddress(CrailConfiguration conf) throws ConfigurationException {
        int port = conf.get(TcpTierKeys.STORAGE_PORT);
        String networkInterface = conf.get(TcpTierKeys.STORAGE_INTERFACE).strip();
        if (!networkInterface.isEmpty()) {
            return new InetSocketAddress(InterfaceAddresses.of(networkInterface), port);
        }
        String bind = conf.get(CrailKeys.DATANODE_BIND).strip();
        String host = bind.isEmpty() ? conf.get(CrailKeys.DATANODE_HOST).strip() : bind;
        return host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
    }

    private static Path dataPath(String configured) {
        if (!configured.isBlank()) {
            return Path.of(configured.strip());
        }
        boolean shared = Files.isDirectory(SHARED_MEMORY) && Files.isWritable(SHARED_MEMORY);
        Path base = shared ? SHARED_MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
        return base.resolve("crail-" + System.getProperty("user.name"));
    }
}
