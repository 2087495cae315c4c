/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.rdma;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.storage.file.MemoryTierKeys;
import org.apache.crail.storage.file.MemoryTierSettings;
import org.apache.crail.storage.file.TierOptions;

/**
 * What a datanode is started with, checked. Immutable.
 *
 * @param memory what it offers
 * @param address where it listens: an IPv4 address, no wildcard, since memory is registered with the device that has it
 * @param backlog clients that may wait to be accepted
 * @param persistent whether the data stays when the datanode stops
 * @param localMap whether clients on this host may copy blocks themselves
 */
record RdmaDatanodeSettings(
        MemoryTierSettings memory, InetSocketAddress address, int backlog, boolean persistent, boolean localMap) {
    static final MemoryTierKeys KEYS = new MemoryTierKeys(
            "rdma",
            RdmaTierKeys.STORAGE_INTERFACE,
            RdmaTierKeys.STORAGE_PORT,
            RdmaTierKeys.STORAGE_LIMIT,
            RdmaTierKeys.STORAGE_ALLOCATION_SIZE,
            RdmaTierKeys.STORAGE_DATA_PATH);
    private static final TierOptions OPTIONS = new TierOptions(
            "rdma",
            Map.of(
                    "-p", RdmaTierKeys.STORAGE_PORT,
                    "-i", RdmaTierKeys.STORAGE_INTERFACE,
                    "-d", RdmaTierKeys.STORAGE_DATA_PATH,
                    "-l", RdmaTierKeys.STORAGE_LIMIT,
                    "-s", RdmaTierKeys.STORAGE_PERSISTENT),
            "-p port, -i network interface, -d data path, -l storage limit, -s to keep the data");

    /** Where a datanode with these options listens on its host. */
    static String listensAt(CrailConfiguration configuration, List<String> options) throws ConfigurationException {
        return KEYS.listensAt(OPTIONS.apply(configuration, options));
    }

    /** Reads the configuration, and the options, which override it. */
    static RdmaDatanodeSettings of(CrailConfiguration configuration, List<String> options)
            throws ConfigurationException {
        CrailConfiguration conf = OPTIONS.apply(configuration, options);
        MemoryTierSettings memory = MemoryTierSettings.of(conf, KEYS).withOneMappingPerFile();
        return new RdmaDatanodeSettings(
                memory,
                addressOf(memory.bind(), conf.get(CrailKeys.DATANODE_HOST).strip()),
                conf.get(RdmaTierKeys.STORAGE_BACKLOG),
                conf.get(RdmaTierKeys.STORAGE_PERSISTENT),
                conf.get(RdmaTierKeys.STORAGE_LOCAL_MAP));
    }

    private static InetSocketAddress addressOf(InetSocketAddress bind, String advertised)
            throws ConfigurationException {
        boolean wildcard = !bind.isUnresolved() && bind.getAddress().isAnyLocalAddress();
        if (wildcard && advertised.isEmpty()) {
            throw new ConfigurationException(
                    "the rdma tier listens on one address, not on all; set " + RdmaTierKeys.STORAGE_INTERFACE + " or "
                            + CrailKeys.DATANODE_BIND + " to that of the RDMA device");
        }
        return new InetSocketAddress(ipv4(wildcard ? advertised : bind.getHostString()), bind.getPort());
    }

    private static InetAddress ipv4(String host) throws ConfigurationException {
        try {
            for (InetAddress address : InetAddress.getAllByName(host)) {
                if (address instanceof Inet4Address) {
                    return address;
                }
            }
            throw new ConfigurationException("the rdma tier works over IPv4 only, and " + host
                    + " has no such address; set " + RdmaTierKeys.STORAGE_INTERFACE + " or "
                    + CrailKeys.DATANODE_BIND + " to one of the RDMA device");
        } catch (UnknownHostException e) {
            throw new ConfigurationException(
                    "the datanode cannot listen on " + host
                            + ": the name cannot be resolved; use a name or an address of" + " this host",
                    e);
        }
    }
}
