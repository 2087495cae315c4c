/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;

/** All systems that can take part, and which is compared with which. Stateless. */
final class Systems {
    /** What the machine itself does in the way of each system of ours; whoever is not in here is not ours. */
    private static final Map<String, Set<String>> OWN_RAW = Map.of(
            "crail-tcp", Set.of("raw-tcp", "raw-tcp-stored"),
            "crail-unix", Set.of("raw-unix", "raw-unix-stored"),
            "crail-mapped", Set.of("copy"));

    private static final Set<Ability> EVERYTHING = EnumSet.allOf(Ability.class);

    /** Without what is asked of the namenode only, for which mapped blocks make no difference. */
    private static final Set<Ability> DATA = EnumSet.of(Ability.VALUES, Ability.STREAM);

    /** Of a stream over sockets. */
    static final int TRANSFERS_IN_FLIGHT = 4;

    private Systems() {}

    /**
     * All systems, in the order in which they take turns.
     *
     * @param classes names of further ones
     * @param settings configuration of our own systems, by key
     * @throws IllegalArgumentException if a class is not there or is none of a system, or if two have one name
     */
    static List<Peer> all(Effort effort, List<String> classes, Map<String, String> settings) {
        List<Peer> all = new ArrayList<>();
        all.add(new RawPeer("raw-tcp", false, false, effort.units()));
        all.add(new RawPeer("raw-tcp-stored", false, true, effort.units()));
        all.add(new RawPeer("raw-unix", true, false, effort.units()));
        all.add(new RawPeer("raw-unix-stored", true, true, effort.units()));
        all.add(new RawCopy(effort.units()));
        // Ours differ in their configuration only; that of the last one is the default.
        all.add(crail("crail-tcp", EVERYTHING, TRANSFERS_IN_FLIGHT, effort, settings, CrailWay.TCP));
        all.add(crail("crail-unix", EVERYTHING, TRANSFERS_IN_FLIGHT, effort, settings, CrailWay.UNIX));
        all.add(crail("crail-mapped", DATA, 1, effort, settings, CrailWay.MAPPED));
        all.add(new RedisPeer());
        all.add(new MemcachedPeer());
        all.add(new HdfsPeer(effort.fileMib()));
        ServiceLoader.load(Peer.class).forEach(all::add);
        classes.forEach(name -> all.add(instance(name)));
        Set<String> names = new HashSet<>();
        for (Peer peer : all) {
            if (!names.add(peer.name())) {
                throw new IllegalArgumentException(
                        "two systems are called " + peer.name() + "; give " + peer.getClass() + " another name");
            }
        }
        return all;
    }

    private static Peer instance(String className) {
        try {
            return Class.forName(className)
                    .asSubclass(Peer.class)
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | LinkageError | ClassCastException e) {
            throw new IllegalArgumentException(
                    className + " is no system: " + e + "; name a public class on the class path that implements "
                            + Peer.class.getName() + " and has a public constructor without parameters",
                    e);
        }
    }

    private static Peer crail(
            String name,
            Set<Ability> abilities,
            int transfersInFlight,
            Effort effort,
            Map<String, String> settings,
            CrailWay way) {
        return new CrailPeer(name, abilities, transfersInFlight, effort.storageMib(), settings, way);
    }

    /** Whether a system is to be measured against another one. */
    static boolean comparable(String system, String reference) {
        return OWN_RAW.containsKey(system)
                && !OWN_RAW.containsKey(reference)
                && (OWN_RAW.get(system).contains(reference) || !isRaw(reference));
    }

    private static boolean isRaw(String system) {
        return OWN_RAW.values().stream().anyMatch(raw -> raw.contains(system));
    }
}
