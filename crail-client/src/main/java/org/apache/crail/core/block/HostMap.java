/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.core.block;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailKeys;
import org.apache.crail.metadata.DataNodeInfo;
import org.apache.crail.utils.CrailUtils;

/** Names the hosts of datanodes as schedulers know them: by reverse lookup, then by crail.locationmap. Thread safe. */
final class HostMap {
    private final Map<String, String> renamed;
    private final Map<String, String> resolved = new ConcurrentHashMap<>();

    private HostMap(Map<String, String> renamed) {
        this.renamed = renamed;
    }

    static HostMap of(CrailConfiguration conf) throws Exception {
        ConcurrentHashMap<String, String> renamed = new ConcurrentHashMap<>();
        CrailUtils.parseMap(conf.get(CrailKeys.LOCATION_MAP), renamed);
        return new HostMap(renamed);
    }

    /** The name of a datanode's host; the first time this may wait for the name service. */
    String host(DataNodeInfo datanode) {
        String host = resolved.computeIfAbsent(datanode.host(), key -> canonical(datanode));
        return renamed.getOrDefault(host, renamed.getOrDefault(datanode.host(), host));
    }

    private static String canonical(DataNodeInfo datanode) {
        var address = datanode.socketAddress();
        return address.isUnresolved() ? datanode.host() : address.getAddress().getCanonicalHostName();
    }
}
