/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.storage.nvmf;

import java.util.HashMap;
import java.util.Map;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.error.InvalidRequestException;
import org.apache.crail.metadata.DataNodeInfo;

/**
 * A namespace and the way to it. Immutable.
 *
 * @param host name or IPv4 address
 * @param nqn name of the subsystem
 * @param namespace number of the namespace
 * @param hostNqn name to connect under, or empty for a random one
 */
record Target(String host, int port, String nqn, int namespace, String hostNqn) {
    private static final String NAME = "nqn\\.\\d{4}-\\d{2}\\.[a-zA-Z0-9.-]*:\\S*";
    private static final int MAX_NAME_LENGTH = 223;

    /** Checks a qualified name. */
    static String checkName(String key, String name) throws ConfigurationException {
        if (!name.matches(NAME) || name.length() > MAX_NAME_LENGTH) {
            throw new ConfigurationException(key + " = \"" + name + "\" is no NVMe qualified name; it looks like"
                    + " nqn.2017-06.io.crail:cnode, has no spaces and at most " + MAX_NAME_LENGTH + " bytes");
        }
        return name;
    }

    /**
     * What clients need besides host and port. It also tells the ranges of several datanodes on one namespace apart.
     *
     * @param begin of the datanode's range, in bytes
     */
    String locator(long begin) {
        return "ns=" + namespace + " begin=" + begin + (hostNqn.isEmpty() ? "" : " hostnqn=" + hostNqn) + " nqn=" + nqn;
    }

    /** The target of a datanode. */
    static Target of(DataNodeInfo datanode) throws InvalidRequestException {
        Map<String, String> values = new HashMap<>();
        for (String part : datanode.locator().split(" ", -1)) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                values.put(part.substring(0, equals), part.substring(equals + 1));
            }
        }
        try {
            return new Target(
                    datanode.host(),
                    datanode.getPort(),
                    checkName("the locator's nqn", values.getOrDefault("nqn", "")),
                    Integer.parseInt(values.getOrDefault("ns", "")),
                    values.getOrDefault("hostnqn", ""));
        } catch (NumberFormatException | ConfigurationException e) {
            throw new InvalidRequestException(
                    "datanode " + datanode.identity() + " names no target of NVMe over Fabrics: " + e.getMessage()
                            + "; use the same release and the same crail.storage.types on all hosts",
                    e);
        }
    }

    @Override
    public String toString() {
        return "namespace " + namespace + " of " + nqn + " at " + host + ":" + port;
    }
}
