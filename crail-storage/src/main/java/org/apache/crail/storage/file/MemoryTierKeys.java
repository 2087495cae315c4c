/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.file;

import java.net.InetSocketAddress;
import org.apache.crail.conf.ConfigKey;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.error.ConfigurationException;

/**
 * The keys of one tier for what all memory tiers are configured with. Immutable.
 *
 * @param tier short name of the tier, for messages
 * @param networkInterface name of the interface to listen on, or empty
 * @param port to listen on, 0 for any
 * @param storageLimit bytes that a datanode offers
 * @param allocationSize bytes of each file
 * @param dataPath directory that holds the directories of datanodes, or empty
 */
public record MemoryTierKeys(
        String tier,
        ConfigKey<String> networkInterface,
        ConfigKey<Integer> port,
        ConfigKey<Long> storageLimit,
        ConfigKey<Long> allocationSize,
        ConfigKey<String> dataPath) {
    /** Where a datanode listens on its host, for people and to be compared; empty if it takes any free port. */
    public String listensAt(CrailConfiguration configuration) throws ConfigurationException {
        int number = configuration.get(port);
        String at = configuration.get(networkInterface).strip();
        return number == 0 ? "" : "port " + number + (at.isEmpty() ? "" : " of " + at);
    }

    /** What the directory of a datanode is called that listens at this address. */
    public String directoryName(InetSocketAddress address) {
        String host = address.getAddress().isAnyLocalAddress()
                ? "any"
                : address.getAddress().getHostAddress().replaceAll("[^0-9A-Za-z.]", "_");
        return tier + "-" + host + "-" + address.getPort();
    }
}
