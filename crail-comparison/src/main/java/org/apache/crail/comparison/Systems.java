/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;

/** All systems that can take part, and which is compared with which. Stateless. */
final class Systems {
    /** What the machine itself does in the way of each system of ours; whoever is not in here is not ours. */
    private static final Map<String, Set<String>> OWN_RAW = Map.of(
            "crail-tcp", Set.of("raw-tcp", "raw-tcp-stored"),
            "crail-unix", Set.of("raw-unix"),
            "crail-mapped", Set.of("copy"));

    private static final Set<String> RAW = Set.of("raw-tcp", "raw-tcp-stored", "raw-unix", "copy");

    private static final Set<Ability> EVERYTHING = EnumSet.allOf(Ability.class);

    /** Without what is asked of the namenode only, for which mapped blocks make no difference. */
    private static final Set<Ability> DATA = EnumSet.of(Ability.VALUES, Ability.STREAM);

    /** Of a stream over sockets. */
    private static final int TRANSFERS_IN_FLIGHT = 4;

    private Systems() {}

    /**
     * All systems, in the order in which they take turns.
     *
     * @param classes names of further ones
     * @param settings configuration of our own systems, by key
     */
    static List<Peer> all(Effort effort, List<String> classes, Map<String, String> settings) throws Exception {
        List<Peer> all = new ArrayList<>();
        all.add(new RawPeer("raw-tcp", false, false, effort.units()));
        all.add(new RawPeer("raw-tcp-stored", false, true, effort.units()));
        all.add(new RawPeer("raw-unix", true, false, effort.units()));
        all.add(new RawCopy(effort.units()));
        // Ours differ in their configuration only; that of the last one is the default.
        all.add(crail("crail-tcp", EVERYTHING, TRANSFERS_IN_FLIGHT, effort, settings, false, false));
        all.add(crail("crail-unix", EVERYTHING, TRANSFERS_IN_FLIGHT, effort, settings, true, false));
        all.add(crail("crail-mapped", DATA, 1, effort, settings, true, true));
        all.add(new RedisPeer());
        all.add(new MemcachedPeer());
        all.add(new HdfsPeer());
        ServiceLoader.load(Peer.class).forEach(all::add);
        for (String name : classes) {
            all.add(Class.forName(name).asSubclass(Peer.class).getConstructor().newInstance());
        }
        return all;
    }

    private static Peer crail(
            String name,
            Set<Ability> abilities,
            int transfersInFlight,
            Effort effort,
            Map<String, String> settings,
            boolean unixSockets,
            boolean mapped) {
        Map<String, String> own = new HashMap<>(settings);
        own.put("crail.unixsockets", Boolean.toString(unixSockets));
        own.put("crail.storage.tcp.mapped", Boolean.toString(mapped));
        return new CrailPeer(name, abilities, transfersInFlight, effort.storageMib(), own);
    }

    /** Whether a system is to be measured against another one. */
    static boolean comparable(String system, String reference) {
        return OWN_RAW.containsKey(system)
                && !OWN_RAW.containsKey(reference)
                && (!RAW.contains(reference) || OWN_RAW.get(system).contains(reference));
    }
}
