/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.rpc.client;

import java.net.URI;
import java.util.List;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.error.ConfigurationException;
import org.apache.crail.internal.HostPort;

/** Where the namenode is, by the configuration. Stateless. */
public final class NamenodeAddress {
    private NamenodeAddress() {}

    /**
     * The host and port of the namenode, to be resolved anew for each attempt.
     *
     * @throws ConfigurationException if the configuration names several namenodes, which this release does not do
     */
    public static HostPort of(CrailConfiguration conf) throws ConfigurationException {
        List<URI> addresses = conf.get(CrailKeys.NAMENODE_ADDRESS);
        if (addresses.size() > 1) {
            throw new ConfigurationException(CrailKeys.NAMENODE_ADDRESS + " names " + addresses.size() + " namenodes ("
                    + CrailKeys.NAMENODE_ADDRESS.format(addresses)
                    + "): this release works with one; name one, e.g. crail://host:9060");
        }
        return HostPort.of(addresses.get(0));
    }
}
