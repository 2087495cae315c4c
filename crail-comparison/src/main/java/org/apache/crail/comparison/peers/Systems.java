/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.crail.comparison.peers;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import org.apache.crail.comparison.Ability;
import org.apache.crail.comparison.Peer;
import org.apache.crail.comparison.works.Effort;

/** All systems that can take part, and which is compared with which. Stateless. */
public final class Systems {
    /**
     * What is below each system of ours: what the machine itself does in that way, or the same without Hadoop's
     * interface. Whoever is not in here is not ours.
     */
    private static final Map<String, Set<String>> BELOW = Map.of(
            "crail-tcp", Set.of("raw-tcp", "raw-tcp-stored"),
            "crail-unix", Set.of("raw-unix", "raw-unix-stored"),
            "crail-mapped", Set.of("copy"),
            "crail-hadoop-tcp", Set.of("crail-tcp", "local-files"),
            "crail-hadoop", Set.of("crail-mapped", "local-files"));

    /** What is asked of Hadoop's file systems only. */
    private static final Set<Ability> OF_FILE_SYSTEMS = EnumSet.of(Ability.RANDOM_READ, Ability.LIST, Ability.TABLES);

    private static final Set<Ability> EVERYTHING = EnumSet.complementOf(EnumSet.copyOf(OF_FILE_SYSTEMS));

    /** Without what is asked of the namenode only, for which mapped blocks make no difference. */
    private static final Set<Ability> DATA =
            EnumSet.of(Ability.VALUES, Ability.VALUES_AT_ONCE, Ability.STREAM, Ability.CREATE);

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
    public static List<Peer> all(Effort effort, List<String> classes, Map<String, String> settings) {
        List<Peer> all = new ArrayList<>();
        all.add(new RawPeer("raw-tcp", false, false, effort));
        all.add(new RawPeer("raw-tcp-stored", false, true, effort));
        all.add(new RawPeer("raw-unix", true, false, effort));
        all.add(new RawPeer("raw-unix-stored", true, true, effort));
        all.add(new RawCopy(effort.writtenMib()));
        // Ours differ in their configuration only; that of the last one is the default.
        all.add(crail("crail-tcp", EVERYTHING, TRANSFERS_IN_FLIGHT, effort, settings, CrailWay.TCP));
        all.add(crail("crail-unix", EVERYTHING, TRANSFERS_IN_FLIGHT, effort, settings, CrailWay.UNIX));
        all.add(crail("crail-mapped", DATA, 1, effort, settings, CrailWay.MAPPED));
        all.add(new CrailHadoopPeer(crailForHadoop("crail-hadoop-tcp", effort, settings, CrailWay.TCP)));
        all.add(new CrailHadoopPeer(crailForHadoop("crail-hadoop", effort, settings, CrailWay.MAPPED)));
        all.add(new LocalFilesPeer(effort.filesMib()));
        all.add(new RedisPeer());
        all.add(new MemcachedPeer());
        all.add(new HdfsPeer(effort.filesMib()));
        addFurther(all, classes);
        return all;
    }

    /**
     * Adds those of other projects.
     *
     * @param classes names of some; service files name the others
     * @throws IllegalArgumentException as {@link #all}
     */
    public static void addFurther(List<Peer> all, List<String> classes) {
        ServiceLoader.load(Peer.class).forEach(all::add);
        classes.forEach(name -> all.add(instance(name)));
        Set<String> names = new HashSet<>();
        for (Peer peer : all) {
            if (!names.add(peer.name())) {
                throw new IllegalArgumentException(
                        "two systems are called " + peer.name() + "; give " + peer.getClass() + " another name");
            }
        }
    }

    /** A system by the name of its class. */
    public static Peer instance(String className) {
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

    private static CrailPeer crailForHadoop(String name, Effort effort, Map<String, String> settings, CrailWay way) {
        return new CrailPeer(name, EVERYTHING, 1, effort.filesMib(), settings, way);
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

    /** Whether a system is to be measured against another one: what is below it, and what others use instead. */
    public static boolean comparable(String system, String reference) {
        return BELOW.containsKey(system) && (BELOW.get(system).contains(reference) || isOfOthers(reference));
    }

    private static boolean isOfOthers(String system) {
        return !BELOW.containsKey(system) && BELOW.values().stream().noneMatch(below -> below.contains(system));
    }
}
