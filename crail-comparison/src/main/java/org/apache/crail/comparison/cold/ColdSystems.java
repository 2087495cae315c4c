/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.cold;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.crail.comparison.Ability;
import org.apache.crail.comparison.Peer;
import org.apache.crail.comparison.peers.CrailPeer;
import org.apache.crail.comparison.peers.CrailWay;
import org.apache.crail.comparison.peers.HdfsPeer;
import org.apache.crail.comparison.peers.MemcachedPeer;
import org.apache.crail.comparison.peers.RedisPeer;
import org.apache.crail.comparison.peers.Systems;

/** The systems whose clients can be processes of their own. Stateless. */
public final class ColdSystems {
    private static final String MAPPED = "crail-mapped";
    private static final String TCP = "crail-tcp";
    private static final String REDIS = "redis";
    private static final String MEMCACHED = "memcached";
    private static final String HDFS = "hdfs";
    private static final Set<String> NAMED = Set.of(MAPPED, TCP, REDIS, MEMCACHED, HDFS);

    private ColdSystems() {}

    /**
     * All systems, in the order of tables.
     *
     * @param classes names of further ones, which take part if they have {@link Peer#address an address}
     * @param settings configuration of our own systems, by key
     * @throws IllegalArgumentException as {@link Systems#all}
     */
    public static List<Peer> all(ColdEffort effort, List<String> classes, Map<String, String> settings) {
        int mib = effort.storageMib();
        List<Peer> all = new ArrayList<>();
        all.add(crail(MAPPED, CrailWay.MAPPED, mib, settings));
        all.add(crail(TCP, CrailWay.TCP, mib, settings));
        all.add(new RedisPeer());
        all.add(new MemcachedPeer());
        all.add(new HdfsPeer(mib));
        Systems.addFurther(all, classes);
        return all;
    }

    /** What {@link #client} makes the same system of, in another process. */
    static String key(Peer peer) {
        return NAMED.contains(peer.name()) ? peer.name() : peer.getClass().getName();
    }

    /** A system whose servers run already, for a cold client: no class of another one is loaded. */
    static Peer client(String key) {
        return switch (key) {
            case MAPPED -> crail(key, CrailWay.MAPPED, 0, Map.of());
            case TCP -> crail(key, CrailWay.TCP, 0, Map.of());
            case REDIS -> new RedisPeer();
            case MEMCACHED -> new MemcachedPeer();
            case HDFS -> new HdfsPeer(0);
            default -> Systems.instance(key);
        };
    }

    private static Peer crail(String name, CrailWay way, int storageMib, Map<String, String> settings) {
        Set<Ability> abilities = EnumSet.of(
                Ability.LOOKUP, Ability.VALUES, Ability.CREATE, Ability.ENUMERATE, Ability.STREAM, Ability.APPEND);
        return new CrailPeer(name, abilities, 1, storageMib, settings, way);
    }
}
