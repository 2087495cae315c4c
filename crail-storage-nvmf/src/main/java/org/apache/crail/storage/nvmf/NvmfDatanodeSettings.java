/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import java.util.List;
import java.util.Map;
import org.apache.crail.conf.ConfigKey;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.storage.file.TierOptions;

/**
 * What a datanode is started with, checked as far as that is possible without the target. Immutable.
 *
 * @param offset where its range begins
 * @param limit length of the range, or 0 for all there is
 * @param regionBytes size of the regions
 * @param blockBytes the block size
 * @param smallBlockBytes size of the parts of blocks that small nodes share, 0 if none do
 * @param connectTimeoutMs limit of connecting
 * @param keepAliveMs time between keep-alives
 */
record NvmfDatanodeSettings(
        Target target,
        long offset,
        long limit,
        long regionBytes,
        long blockBytes,
        long smallBlockBytes,
        long connectTimeoutMs,
        long keepAliveMs) {
    private static final TierOptions OPTIONS = new TierOptions(
            "nvmf",
            Map.<String, ConfigKey<?>>of(
                    "-a", NvmfTierKeys.STORAGE_IP,
                    "-p", NvmfTierKeys.STORAGE_PORT,
                    "-nqn", NvmfTierKeys.STORAGE_NQN,
                    "-n", NvmfTierKeys.STORAGE_NAMESPACE,
                    "-hostnqn", NvmfTierKeys.STORAGE_HOST_NQN,
                    "-o", NvmfTierKeys.STORAGE_OFFSET,
                    "-l", NvmfTierKeys.STORAGE_LIMIT),
            "-a host and -p port of the target, -nqn subsystem, -n namespace, -hostnqn name of this host, -o offset and -l"
                    + " limit of the range");

    /** Checks options. */
    static void check(CrailConfiguration configuration, List<String> options) throws ConfigurationException {
        target(OPTIONS.apply(configuration, options));
    }

    /** Reads the configuration, and the options, which override it. */
    static NvmfDatanodeSettings of(CrailConfiguration configuration, List<String> options)
            throws ConfigurationException {
        CrailConfiguration conf = OPTIONS.apply(configuration, options);
        long block = conf.get(CrailKeys.BLOCK_SIZE);
        return new NvmfDatanodeSettings(
                target(conf),
                conf.get(NvmfTierKeys.STORAGE_OFFSET),
                conf.get(NvmfTierKeys.STORAGE_LIMIT),
                Math.max(block, conf.get(NvmfTierKeys.STORAGE_ALLOCATION_SIZE) / block * block),
                block,
                CrailKeys.smallBlockBytes(conf),
                conf.get(NvmfTierKeys.STORAGE_CONNECT_TIMEOUT).toMillis(),
                conf.get(NvmfTierKeys.STORAGE_KEEPALIVE).toMillis());
    }

    private static Target target(CrailConfiguration conf) throws ConfigurationException {
        String host = conf.get(NvmfTierKeys.STORAGE_IP).strip();
        String hostNqn = conf.get(NvmfTierKeys.STORAGE_HOST_NQN).strip();
        return new Target(
                host.isEmpty() ? "localhost" : host,
                conf.get(NvmfTierKeys.STORAGE_PORT),
                Target.checkName(
                        NvmfTierKeys.STORAGE_NQN.name(),
                        conf.get(NvmfTierKeys.STORAGE_NQN).strip()),
                conf.get(NvmfTierKeys.STORAGE_NAMESPACE),
                hostNqn.isEmpty() ? "" : Target.checkName(NvmfTierKeys.STORAGE_HOST_NQN.name(), hostNqn));
    }

    /**
     * The part of a namespace that blocks lie in. The first block's room is the datanode's own, see {@link Label}.
     *
     * @param begin of the range, in bytes
     * @param end of the last block
     */
    record Extent(long begin, long firstBlock, long end) {}

    /** Checks a namespace, and places the datanode's blocks in it. */
    Extent place(NamespaceShape shape) throws ConfigurationException {
        int sector = shape.sectorBytes();
        if (smallBlockBytes % sector != 0) {
            throw new ConfigurationException(CrailKeys.SMALL_BLOCK_SIZE + " = " + smallBlockBytes
                    + " does not suit " + target + ", whose sectors have " + sector + " bytes: values of different"
                    + " clients must not share a sector; set it to " + roundedUp(smallBlockBytes, sector)
                    + " or 0 for the namenode, or format the namespace with smaller sectors");
        }
        if (blockBytes % sector != 0 || offset % sector != 0) {
            throw new ConfigurationException(CrailKeys.BLOCK_SIZE + " = " + blockBytes + " and "
                    + NvmfTierKeys.STORAGE_OFFSET + " = " + offset + " must be multiples of the sectors of " + target
                    + ", which have " + sector + " bytes");
        }
        long room = shape.bytes() - offset;
        if (limit > room) {
            throw new ConfigurationException(NvmfTierKeys.STORAGE_OFFSET + " = " + offset + " and "
                    + NvmfTierKeys.STORAGE_LIMIT + " = " + limit + " reach beyond the end of " + target + ", which has "
                    + shape.bytes() + " bytes; lower one of them");
        }
        long length = (limit == 0 ? room : limit) / blockBytes * blockBytes;
        if (length < 2 * blockBytes) {
            throw new ConfigurationException("the range from " + offset + " on of " + target + ", which has "
                    + shape.bytes() + " bytes, has no room for two blocks of " + blockBytes
                    + " bytes, one of which is the datanode's own; use a larger namespace or range, or lower "
                    + CrailKeys.BLOCK_SIZE);
        }
        return new Extent(offset, offset + blockBytes, offset + length);
    }

    private static long roundedUp(long bytes, int sector) {
        return (bytes + sector - 1) / sector * sector;
    }
}
